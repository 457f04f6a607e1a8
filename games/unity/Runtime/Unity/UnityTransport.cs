using System;
using System.IO;
using UnityEngine.Networking;

namespace CreatorAttribution.Unity
{
    /// <summary>Sends requests by UnityWebRequest, on every platform that it supports.</summary>
    public sealed class UnityTransport : ITransport
    {
        public IPendingRequest Send(HttpRequest request, Action<HttpResponse> done)
        {
            return new Pending(request, done);
        }

        private sealed class Pending : IPendingRequest
        {
            private readonly Download download;
            private readonly UnityWebRequest web;
            private readonly Action<HttpResponse> done;
            private bool isEnded;

            public Pending(HttpRequest request, Action<HttpResponse> done)
            {
                this.done = done;
                download = new Download(request.MaxBodyBytes);
                web = new UnityWebRequest(request.Url, UnityWebRequest.kHttpVerbGET, download, null);
                // A redirect could send the key to another host.
                web.redirectLimit = 0;
                foreach (var header in request.Headers)
                    web.SetRequestHeader(header.Key, header.Value);
                try
                {
                    web.SendWebRequest().completed += _ => End(ResponseOf());
                }
                catch (InvalidOperationException refused)
                {
                    // Newer versions refuse http:// unless the player settings allow it.
                    End(HttpResponse.Failed(refused.Message));
                }
            }

            public void Cancel()
            {
                if (isEnded)
                    return;
                isEnded = true;
                web.Abort();
                web.Dispose();
            }

            private void End(HttpResponse response)
            {
                if (isEnded)
                    return;
                isEnded = true;
                web.Dispose();
                done(response);
            }

            private HttpResponse ResponseOf()
            {
                if (download.IsTooLarge)
                    return HttpResponse.TooLarge;
                var status = (int)web.responseCode;
                var isBroken = web.result == UnityWebRequest.Result.ConnectionError
                    || web.result == UnityWebRequest.Result.DataProcessingError;
                // A redirect that isn't followed is a connection error with a status.
                if (status == 0 || (isBroken && (status < 300 || status > 399)))
                    return HttpResponse.Failed(web.error);
                return new HttpResponse(status, download.ToBytes(), web.GetResponseHeader("Retry-After"));
            }
        }

        /// <summary>Body of a response, up to a maximum size.</summary>
        private sealed class Download : DownloadHandlerScript
        {
            private readonly MemoryStream bytes = new MemoryStream();
            private readonly int maxBytes;

            public Download(int maxBytes)
            {
                this.maxBytes = maxBytes;
            }

            public bool IsTooLarge { get; private set; }

            public byte[] ToBytes()
            {
                return bytes.ToArray();
            }

            /// <returns>false to end the request</returns>
            protected override bool ReceiveData(byte[] received, int length)
            {
                IsTooLarge = bytes.Length + length > maxBytes;
                if (!IsTooLarge)
                    bytes.Write(received, 0, length);
                return !IsTooLarge;
            }
        }
    }
}
