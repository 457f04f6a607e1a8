using System;

namespace CreatorAttribution
{
    /// <summary>Call that was started. It ends with its result, or without one if it is canceled.</summary>
    public sealed class Call
    {
        private readonly ClientOptions options;
        private readonly ITransport transport;
        private readonly HttpRequest request;
        private readonly int maxTries;
        private readonly Func<HttpResponse, AttributionError> finish;
        private IPendingRequest pending;
        private HttpResponse response;
        private AttributionError failure;
        private bool isSent;
        private int tries;
        private double startedMs = -1;
        private double nextMs;

        /// <param name="finish">Handles a response. Returns an error instead if the call failed.</param>
        internal Call(ClientOptions options, ITransport transport, HttpRequest request, int maxTries,
            Func<HttpResponse, AttributionError> finish)
        {
            this.options = options;
            this.transport = transport;
            this.request = request;
            this.maxTries = maxTries;
            this.finish = finish;
        }

        internal Action<AttributionError> OnError { private get; set; }

        /// <summary>True after the call has its result, or was canceled.</summary>
        public bool IsDone { get; private set; }

        /// <summary>Cancels the call, whose result is then never reported.</summary>
        public void Cancel()
        {
            IsDone = true;
            EndRequest();
        }

        /// <summary>Reports an error without sending anything.</summary>
        internal void FailAtNextUpdate(AttributionError error)
        {
            failure = error;
        }

        /// <summary>Sends, retries or ends the request, whichever is due.</summary>
        internal void Update(double nowMs)
        {
            if (IsDone)
                return;
            if (startedMs < 0)
                startedMs = nextMs = nowMs;
            var deadlineMs = startedMs + options.TotalTimeoutMs;
            if (failure != null)
                End(failure);
            else if (response != null)
                Handle(nowMs, deadlineMs);
            else if (isSent && (nowMs >= nextMs + options.TryTimeoutMs || nowMs >= deadlineMs))
                Retry(new AttributionError(ErrorKind.TimedOut, "No response arrived in time."), nowMs, deadlineMs);
            else if (!isSent && nowMs >= nextMs)
                Send(nowMs);
        }

        private void Send(double nowMs)
        {
            isSent = true;
            nextMs = nowMs;
            var attempt = ++tries;
            var sent = transport.Send(request, received =>
            {
                // The response of an attempt that was given up is ignored.
                if (isSent && attempt == tries)
                    response = received;
            });
            if (response == null)
                pending = sent;
        }

        private void Handle(double nowMs, double deadlineMs)
        {
            var received = response;
            pending = null;
            if (received.Failure != null)
            {
                Retry(new AttributionError(ErrorKind.ConnectionFailed, received.Failure), nowMs, deadlineMs);
                return;
            }
            // The call is done before its result is reported, so that an exception there doesn't report it again.
            IsDone = true;
            var error = finish(received);
            if (error == null)
                return;
            IsDone = false;
            Retry(error, nowMs, deadlineMs);
        }

        private void Retry(AttributionError error, double nowMs, double deadlineMs)
        {
            EndRequest();
            var isRetried = error.Kind != ErrorKind.InvalidResponse && tries < maxTries;
            var delayMs = isRetried
                ? RetryRules.DelayMs(tries, error.Status, error.RetryAfterMs, options.Random())
                : null;
            if (delayMs == null || nowMs + delayMs.Value >= deadlineMs)
                End(error);
            else
                nextMs = nowMs + delayMs.Value;
        }

        private void End(AttributionError error)
        {
            IsDone = true;
            error.Tries = tries;
            OnError(error);
        }

        private void EndRequest()
        {
            if (pending != null)
                pending.Cancel();
            pending = null;
            response = null;
            isSent = false;
        }
    }
}
