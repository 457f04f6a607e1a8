using System;

namespace CreatorAttribution
{
    /// <summary>Reads responses.</summary>
    internal static class Responses
    {
        private const int MaxMessageLength = 200;

        /// <returns>the error of the response, or null if it has a value</returns>
        public static AttributionError Read<T>(HttpResponse response, Func<string, T> read, out T value)
        {
            value = default(T);
            if (response.Body == null)
                return new AttributionError(ErrorKind.InvalidResponse, "The response is too large.");
            if (response.Status < 200 || response.Status > 299)
                return Rejection(response);
            try
            {
                value = read(Utf8.Decode(response.Body));
                return null;
            }
            catch (FormatException fault)
            {
                return new AttributionError(ErrorKind.InvalidResponse, fault.Message, response.Status);
            }
        }

        private static AttributionError Rejection(HttpResponse response)
        {
            var code = "";
            var message = "";
            try
            {
                var text = Utf8.Decode(response.Body);
                message = text.Length > MaxMessageLength ? "" : text;
                var body = JsonReader.Read(text);
                code = body.Find("code")?.AsText() ?? "";
                message = body.Find("message")?.AsText() ?? "";
            }
            catch (FormatException)
            {
                // Proxies also answer with pages of their own.
            }
            var retryAfterMs = RetryRules.ReadRetryAfter(response.RetryAfter, DateTime.UtcNow);
            return new AttributionError(ErrorKind.Rejected, message, response.Status, code, retryAfterMs);
        }
    }
}
