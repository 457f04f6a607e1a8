namespace CreatorAttribution
{
    public enum ErrorKind
    {
        /// <summary>The service rejected the request: see the status and the code.</summary>
        Rejected,

        /// <summary>The connection failed.</summary>
        ConnectionFailed,

        /// <summary>No response arrived in time.</summary>
        TimedOut,

        /// <summary>The response is not one of this service: too large, not UTF-8, not JSON, or incomplete.</summary>
        InvalidResponse,

        /// <summary>The request was not sent, because no URL can contain its text.</summary>
        InvalidInput,
    }

    /// <summary>Why a call failed.</summary>
    public sealed class AttributionError
    {
        internal AttributionError(ErrorKind kind, string message, int status = 0, string code = "", long? retryAfterMs = null)
        {
            Kind = kind;
            Message = message;
            Status = status;
            Code = code;
            RetryAfterMs = retryAfterMs;
        }

        public ErrorKind Kind { get; }

        /// <summary>Status of the response; 0 if there was none.</summary>
        public int Status { get; }

        /// <summary>Code of the service, such as <c>CodeNotInGroup</c>; empty if the response has none.</summary>
        public string Code { get; }

        /// <summary>Explanation for developers. It may change: branch on the kind and the code.</summary>
        public string Message { get; }

        /// <summary>How long the service asks to wait; null if it doesn't say.</summary>
        public long? RetryAfterMs { get; }

        /// <summary>Number of times that the request was sent.</summary>
        public int Tries { get; internal set; }

        public override string ToString()
        {
            return Kind + (Status == 0 ? "" : " " + Status) + (Code == "" ? "" : " " + Code) + ": " + Message;
        }
    }

    /// <summary>Result of a call: a value, or an error.</summary>
    public sealed class Result<T>
    {
        internal Result(T value)
        {
            Value = value;
        }

        internal Result(AttributionError error)
        {
            Error = error;
        }

        public bool IsOk
        {
            get { return Error == null; }
        }

        /// <summary>Value of a successful call.</summary>
        public T Value { get; }

        /// <summary>Error of a failed call; null if it succeeded.</summary>
        public AttributionError Error { get; }
    }
}
