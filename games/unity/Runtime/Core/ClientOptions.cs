using System;

namespace CreatorAttribution
{
    /// <summary>Settings of an <see cref="AttributionClient"/>.</summary>
    public sealed class ClientOptions
    {
        /// <param name="baseAddress">Address of the service, such as <c>https://creators.example</c>.</param>
        /// <param name="publicKey">Key that begins with <c>svc_pk_</c>.</param>
        /// <exception cref="ArgumentException">The address is not http or https, or the key is not a public key.</exception>
        public ClientOptions(string baseAddress, string publicKey)
        {
            BaseAddress = Address.Normalize(baseAddress);
            PublicKey = Checked(publicKey);
        }

        public string BaseAddress { get; }

        public string PublicKey { get; }

        /// <summary>Time limit of one attempt.</summary>
        public int TryTimeoutMs { get; set; } = 10000;

        /// <summary>Time limit of all attempts of a call, with the pauses between them.</summary>
        public int TotalTimeoutMs { get; set; } = 60000;

        /// <summary>Maximum size of a response. The transport stops reading beyond it.</summary>
        public int MaxBodyBytes { get; set; } = 8 * 1024 * 1024;

        /// <summary>Source of numbers from 0 to 1 for the lengths of pauses.</summary>
        public Func<double> Random { get; set; } = new System.Random().NextDouble;

        private static string Checked(string key)
        {
            if (key != null && key.StartsWith("svc_sk_", StringComparison.Ordinal))
                throw new ArgumentException("A secret key must never be in a game. Use a public key (svc_pk_…).");
            if (key == null || !key.StartsWith("svc_pk_", StringComparison.Ordinal))
                throw new ArgumentException("A public key (svc_pk_…) is required.");
            foreach (var character in key)
                if (!Address.IsLetterOrDigit(character) && character != '_')
                    throw new ArgumentException("The public key has a character that no key has.");
            return key;
        }
    }
}
