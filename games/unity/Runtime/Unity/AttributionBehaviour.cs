using UnityEngine;

namespace CreatorAttribution.Unity
{
    /// <summary>Holds the client of a scene or game, and runs it in each frame.</summary>
    [AddComponentMenu("Creator Attribution/Creator Attribution")]
    public sealed class AttributionBehaviour : MonoBehaviour
    {
        [Tooltip("Address of the service, such as https://creators.example")]
        public string baseAddress = "";

        [Tooltip("Key that begins with svc_pk_. Never put a secret key into a game.")]
        public string publicKey = "";

        [Tooltip("Group of the creators. Leave it empty for the publisher's default group.")]
        public string groupId = "";

        private AttributionClient client;

        /// <summary>Client with these settings, which are read when it is first used.</summary>
        /// <exception cref="System.ArgumentException">The address or the key is wrong.</exception>
        public AttributionClient Client
        {
            get { return client ?? (client = new AttributionClient(new ClientOptions(baseAddress, publicKey), new UnityTransport())); }
        }

        /// <summary>Time in milliseconds by a clock that runs while the game is paused.</summary>
        internal static double NowMs
        {
            get { return Time.realtimeSinceStartupAsDouble * 1000; }
        }

        private void Update()
        {
            if (client != null)
                client.Update(NowMs);
        }
    }
}
