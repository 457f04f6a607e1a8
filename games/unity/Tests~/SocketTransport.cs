using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace CreatorAttribution.Tests
{
    /// <summary>Transport over plain sockets, for tests outside an engine. <see cref="Poll"/> reports responses.</summary>
    public sealed class SocketTransport : ITransport
    {
        private readonly Queue<Action> responses = new Queue<Action>();

        public IPendingRequest Send(HttpRequest request, Action<HttpResponse> done)
        {
            var socket = new TcpClient();
            new Thread(() =>
            {
                HttpResponse response;
                try
                {
                    response = Exchange(socket, request);
                }
                catch (Exception fault)
                {
                    response = HttpResponse.Failed(fault.Message);
                }
                lock (responses)
                    responses.Enqueue(() => done(response));
            }) { IsBackground = true }.Start();
            return new Pending(socket);
        }

        public void Poll()
        {
            for (; ; )
            {
                Action next;
                lock (responses)
                {
                    if (responses.Count == 0)
                        return;
                    next = responses.Dequeue();
                }
                next();
            }
        }

        private static HttpResponse Exchange(TcpClient socket, HttpRequest request)
        {
            var uri = new Uri(request.Url);
            socket.Connect(uri.Host, uri.Port);
            var target = request.Url.Substring(request.Url.IndexOf('/', "http://".Length));
            var head = new StringBuilder("GET " + target + " HTTP/1.0\r\nHost: " + uri.Authority + "\r\n");
            foreach (var header in request.Headers)
                head.Append(header.Key).Append(": ").Append(header.Value).Append("\r\n");
            var bytes = Encoding.ASCII.GetBytes(head.Append("\r\n").ToString());
            var stream = socket.GetStream();
            stream.Write(bytes, 0, bytes.Length);
            var received = new MemoryStream();
            var buffer = new byte[65536];
            int count;
            while ((count = stream.Read(buffer, 0, buffer.Length)) > 0)
            {
                received.Write(buffer, 0, count);
                if (received.Length > request.MaxBodyBytes + 16384)
                    return HttpResponse.TooLarge;
            }
            return Parse(received.ToArray(), request.MaxBodyBytes);
        }

        private static HttpResponse Parse(byte[] bytes, int maxBodyBytes)
        {
            var text = Encoding.GetEncoding(28591).GetString(bytes);
            var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (end < 0)
                return HttpResponse.Failed("The connection ended before the headers did.");
            var lines = text.Substring(0, end).Split(new[] { "\r\n" }, StringSplitOptions.None);
            string retryAfter = null;
            var length = bytes.Length - end - 4;
            var expected = length;
            foreach (var line in lines)
            {
                var colon = line.IndexOf(':');
                var name = colon < 0 ? "" : line.Substring(0, colon).ToLowerInvariant();
                if (name == "retry-after")
                    retryAfter = line.Substring(colon + 1).Trim();
                if (name == "content-length")
                    expected = int.Parse(line.Substring(colon + 1).Trim());
            }
            if (length < expected)
                return HttpResponse.Failed("The connection ended before the body did.");
            if (length > maxBodyBytes)
                return HttpResponse.TooLarge;
            var body = new byte[length];
            Array.Copy(bytes, end + 4, body, 0, length);
            return new HttpResponse(int.Parse(lines[0].Split(' ')[1]), body, retryAfter);
        }

        private sealed class Pending : IPendingRequest
        {
            private readonly TcpClient socket;

            public Pending(TcpClient socket)
            {
                this.socket = socket;
            }

            public void Cancel()
            {
                socket.Close();
            }
        }
    }
}
