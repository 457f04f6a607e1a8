using System;
using System.Globalization;
using System.Text;

namespace CreatorAttribution
{
    /// <summary>Builds addresses of requests.</summary>
    internal sealed class Address
    {
        private const string Hex = "0123456789ABCDEF";
        private readonly StringBuilder path = new StringBuilder("/v1");
        private readonly StringBuilder query = new StringBuilder();

        /// <summary>What is wrong with a value, or null.</summary>
        public string Fault { get; private set; }

        /// <summary>Returns an address without slashes at its end, and without the version.</summary>
        public static string Normalize(string baseAddress)
        {
            var trimmed = (baseAddress ?? "").Trim();
            Uri uri;
            var isValid = Uri.TryCreate(trimmed, UriKind.Absolute, out uri)
                && (uri.Scheme == "https" || uri.Scheme == "http")
                && uri.Host.Length > 0
                && trimmed.IndexOfAny(new[] { '?', '#', '@', ' ' }) < 0;
            if (!isValid)
                throw new ArgumentException("The base address must be like https://creators.example.");
            trimmed = trimmed.TrimEnd('/');
            return trimmed.EndsWith("/v1", StringComparison.Ordinal)
                ? trimmed.Substring(0, trimmed.Length - 3).TrimEnd('/')
                : trimmed;
        }

        public static bool IsLetterOrDigit(char character)
        {
            return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9');
        }

        /// <summary>Adds words of the operation's own path.</summary>
        public Address Fixed(string words)
        {
            path.Append('/').Append(words);
            return this;
        }

        /// <summary>Adds a value to the path. URLs resolve "." and "..", even if they are escaped.</summary>
        public Address Value(string name, string value)
        {
            if (string.IsNullOrEmpty(value) || value == "." || value == "..")
                Fault = name + " must be text other than \"\", \".\" and \"..\".";
            else
                Append(path.Append('/'), name, value);
            return this;
        }

        /// <summary>Adds a query parameter, unless it has no value.</summary>
        public Address Query(string name, string value)
        {
            if (!string.IsNullOrEmpty(value))
                Append(NextParameter(name), name, value);
            return this;
        }

        /// <summary>Adds a number, unless it is 0, which stands for the service's default.</summary>
        public Address Query(string name, int value)
        {
            if (value != 0)
                NextParameter(name).Append(value.ToString(CultureInfo.InvariantCulture));
            return this;
        }

        /// <summary>Adds a Boolean, unless it is false, which is the service's default.</summary>
        public Address Query(string name, bool value)
        {
            if (value)
                NextParameter(name).Append("true");
            return this;
        }

        public string On(string baseAddress)
        {
            return baseAddress + path + query;
        }

        private StringBuilder NextParameter(string name)
        {
            return query.Append(query.Length == 0 ? '?' : '&').Append(name).Append('=');
        }

        private void Append(StringBuilder builder, string name, string value)
        {
            byte[] bytes;
            if (value.IndexOf('\0') >= 0 || (bytes = Utf8.Encode(value)) == null)
                Fault = name + " must be well-formed Unicode without U+0000.";
            else
                foreach (var each in bytes)
                    if (IsLetterOrDigit((char)each) || "-_.~".IndexOf((char)each) >= 0)
                        builder.Append((char)each);
                    else
                        builder.Append('%').Append(Hex[each >> 4]).Append(Hex[each & 15]);
        }
    }

    /// <summary>Converts text strictly: anything malformed is an error and never replaced.</summary>
    internal static class Utf8
    {
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        /// <returns>null if the text has half of a surrogate pair</returns>
        public static byte[] Encode(string text)
        {
            try
            {
                return Strict.GetBytes(text);
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// <exception cref="FormatException">The bytes are not UTF-8.</exception>
        public static string Decode(byte[] bytes)
        {
            try
            {
                return Strict.GetString(bytes);
            }
            catch (ArgumentException)
            {
                throw new FormatException("The response is not UTF-8.");
            }
        }
    }
}
