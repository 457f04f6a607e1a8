using System;
using System.Globalization;

namespace CreatorAttribution
{
    /// <summary>Rules for sending a request again, the same as those of the service's TypeScript client.</summary>
    public static class RetryRules
    {
        /// <summary>Maximum number of times that a request is sent.</summary>
        public const int MaxTries = 4;

        private const double FirstDelayMs = 500;
        private const double MaxDelayMs = 8000;
        private const long MaxRetryAfterMs = 24L * 60 * 60 * 1000;

        /// <summary>Returns whether a status may be different next time. 0 stands for no response.</summary>
        public static bool IsTemporary(int status)
        {
            return status == 0 || status == 408 || status == 429 || status == 502 || status == 503 || status == 504;
        }

        /// <summary>
        /// Returns the pause before the next attempt: what the service asks for, or else 0.5 s, doubled after each attempt
        /// up to 8 s. Half a second of it is random, or half of it.
        /// </summary>
        /// <param name="random">Number from 0 to 1.</param>
        /// <returns>null if there must be no other attempt</returns>
        public static double? DelayMs(int attempt, int status, long? retryAfterMs, double random)
        {
            if (attempt >= MaxTries || !IsTemporary(status))
                return null;
            if (retryAfterMs != null)
                return retryAfterMs.Value + random * FirstDelayMs;
            return Math.Min(FirstDelayMs * Math.Pow(2, attempt - 1), MaxDelayMs) * (1 - random / 2);
        }

        /// <summary>Reads a Retry-After header: a number of seconds, or a date.</summary>
        /// <returns>null if there is none, or if it can't be read</returns>
        public static long? ReadRetryAfter(string header, DateTime utcNow)
        {
            if (string.IsNullOrEmpty(header))
                return null;
            var isNumber = true;
            foreach (var character in header)
                isNumber = isNumber && character >= '0' && character <= '9';
            if (isNumber)
                return header.Length > 5 ? MaxRetryAfterMs : Math.Min(long.Parse(header, CultureInfo.InvariantCulture) * 1000, MaxRetryAfterMs);
            DateTime date;
            const DateTimeStyles utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
            if (!DateTime.TryParseExact(header, "r", CultureInfo.InvariantCulture, utc, out date))
                return null;
            return Math.Min(Math.Max((long)(date - utcNow).TotalMilliseconds, 0), MaxRetryAfterMs);
        }
    }
}
