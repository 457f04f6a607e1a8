using System;
using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>
    /// Sends requests. An implementation doesn't follow redirects, so that the key doesn't reach another host, and needs no
    /// time limit, because the client cancels what takes too long.
    /// </summary>
    public interface ITransport
    {
        /// <summary>
        /// Sends a request. Calls <paramref name="done"/> once, in the thread that calls
        /// <see cref="AttributionClient.Update"/>.
        /// </summary>
        IPendingRequest Send(HttpRequest request, Action<HttpResponse> done);
    }

    /// <summary>Request that was sent.</summary>
    public interface IPendingRequest
    {
        /// <summary>Ends the request. Afterward, its response is ignored.</summary>
        void Cancel();
    }

    /// <summary>GET request.</summary>
    public sealed class HttpRequest
    {
        public HttpRequest(string url, IReadOnlyDictionary<string, string> headers, int maxBodyBytes)
        {
            Url = url;
            Headers = headers;
            MaxBodyBytes = maxBodyBytes;
        }

        public string Url { get; }

        public IReadOnlyDictionary<string, string> Headers { get; }

        /// <summary>Size beyond which a response is <see cref="HttpResponse.TooLarge"/>.</summary>
        public int MaxBodyBytes { get; }
    }

    /// <summary>Response, or the reason why there is none.</summary>
    public sealed class HttpResponse
    {
        /// <summary>Response that is larger than the request allows.</summary>
        public static readonly HttpResponse TooLarge = new HttpResponse(0, null, null, null);

        private HttpResponse(int status, byte[] body, string retryAfter, string failure)
        {
            Status = status;
            Body = body;
            RetryAfter = retryAfter;
            Failure = failure;
        }

        public HttpResponse(int status, byte[] body, string retryAfter)
            : this(status, body ?? new byte[0], retryAfter, null)
        {
        }

        /// <summary>Returns the response of a connection that failed, or ended before the whole body arrived.</summary>
        public static HttpResponse Failed(string reason)
        {
            return new HttpResponse(0, null, null, reason ?? "");
        }

        public int Status { get; }

        public byte[] Body { get; }

        /// <summary>Value of the Retry-After header, or null.</summary>
        public string RetryAfter { get; }

        /// <summary>Why the connection failed, or null if there was a response.</summary>
        public string Failure { get; }
    }
}
