// Receiver of webhooks for .NET or Mono, without packages:
//   mcs -r:System.Runtime.Serialization -r:System.Xml.Linq Receiver.cs
//   WEBHOOK_SECRET=whsec_… PORT=3000 mono Receiver.exe
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

static class Receiver
{
    // Any client can send to this address, so do not buffer more of a body than an event needs.
    const int MaxBodyBytes = 1024 * 1024;
    // Old requests are rejected, so that they can't be replayed. The tolerance allows for small clock differences.
    const long ToleranceSeconds = 300;
    const int MaxDepth = 100;

    // An event can arrive twice. This forgets the oldest events, and all of them when the process ends; a real
    // receiver records processed events in its database, in the transaction that processes them.
    const int MaxSeen = 1000;
    static readonly HashSet<string> Seen = new HashSet<string>();
    static readonly Queue<string> Oldest = new Queue<string>();

    static int Main()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
        if (string.IsNullOrEmpty(secret))
        {
            Console.Error.WriteLine("WEBHOOK_SECRET is not set");
            return 1;
        }
        // The key is the part after the prefix, decoded from base64.
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        var port = Environment.GetEnvironmentVariable("PORT") ?? "3000";
        var listener = new HttpListener();
        listener.Prefixes.Add("http://*:" + port + "/");
        listener.Start();
        Console.WriteLine("listening on port " + port);
        while (true)
        {
            var context = listener.GetContext();
            Task.Run(() => Answer(context, key));
        }
    }

    static void Answer(HttpListenerContext context, byte[] key)
    {
        try
        {
            var request = context.Request;
            if (request.HttpMethod != "POST") Send(context, 405, "POST only");
            else if (request.ContentLength64 < 0 || request.ContentLength64 > MaxBodyBytes)
                Send(context, 413, "too large, or of unknown length");
            else
            {
                var webhook = Verified(ReadBody(request), request.Headers, key);
                if (webhook == null) Send(context, 403, "wrong signature, or an old request");
                else
                {
                    Handle(webhook);
                    Send(context, 200, "OK");
                }
            }
        }
        catch (Exception error)
        {
            if (!(error is IOException || error is HttpListenerException)) Console.Error.WriteLine(error);
            context.Response.Abort();
        }
    }

    /// <summary>Handles an event once. Put slow work into a queue: the service waits 15 seconds.</summary>
    static void Handle(Webhook webhook)
    {
        lock (Seen)
        {
            if (!Seen.Add(webhook.Id)) return;
            Oldest.Enqueue(webhook.Id);
            if (Oldest.Count > MaxSeen) Seen.Remove(Oldest.Dequeue());
            Console.WriteLine(webhook.Kind + " " + webhook.Id);
        }
    }

    class Webhook
    {
        public string Id;
        public string Kind;
        /// <summary>The event's own fields, as XML.</summary>
        public XElement Event;
    }

    /// <summary>Returns the event, or null if it is not from the service or is too old.</summary>
    static Webhook Verified(byte[] body, System.Collections.Specialized.NameValueCollection headers, byte[] key)
    {
        var id = headers["webhook-id"] ?? "";
        var timestamp = headers["webhook-timestamp"] ?? "";
        if (!Regex.IsMatch(timestamp, "^[0-9]{1,12}$")) return null;
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (Math.Abs(now - long.Parse(timestamp)) > ToleranceSeconds) return null;
        var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
        string digest;
        using (var hmac = new HMACSHA256(key)) digest = "v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
        // During a rotation there are two signatures, separated by a space.
        var signatures = (headers["webhook-signature"] ?? "").Split(' ').Take(16);
        if (!signatures.Any(signature => AreEqual(digest, signature))) return null;
        var webhook = Read(body);
        return webhook != null && webhook.Id == id ? webhook : null;
    }

    /// <summary>Reads an event; null if the body isn't one.</summary>
    static Webhook Read(byte[] body)
    {
        try
        {
            // The reader would replace bytes that aren't UTF-8.
            new UTF8Encoding(false, true).GetString(body);
            var quotas = new XmlDictionaryReaderQuotas
            {
                MaxDepth = MaxDepth,
                MaxStringContentLength = MaxBodyBytes,
                MaxArrayLength = MaxBodyBytes,
                MaxBytesPerRead = MaxBodyBytes,
                MaxNameTableCharCount = MaxBodyBytes,
            };
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(body, quotas))
            {
                var root = XElement.Load(reader);
                var webhook = new Webhook
                {
                    Id = Text(root, "eventId"),
                    Kind = Text(root, "eventType") + "/" + Text(root, "eventAction"),
                    Event = root.Element("event"),
                };
                return webhook.Id != null && webhook.Event != null ? webhook : null;
            }
        }
        catch (Exception)
        {
            return null; // Mono's reader also throws errors that aren't about the format
        }
    }

    static string Text(XElement root, string name)
    {
        var element = root.Element(name);
        return element != null && (string)element.Attribute("type") == "string" ? element.Value : null;
    }

    /// <summary>Compares two texts in constant time.</summary>
    static bool AreEqual(string expected, string sent)
    {
        if (expected.Length != sent.Length) return false;
        var difference = 0;
        for (var at = 0; at < expected.Length; at++) difference |= expected[at] ^ sent[at];
        return difference == 0;
    }

    static byte[] ReadBody(HttpListenerRequest request)
    {
        var body = new byte[request.ContentLength64];
        var length = 0;
        while (length < body.Length)
        {
            var read = request.InputStream.Read(body, length, body.Length - length);
            if (read == 0) throw new IOException("the body is incomplete");
            length += read;
        }
        return body;
    }

    static void Send(HttpListenerContext context, int status, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text + "\n");
        var response = context.Response;
        response.StatusCode = status;
        response.ContentType = "text/plain";
        // The rest of a body that is too large isn't read.
        if (status == 413) response.KeepAlive = false;
        response.ContentLength64 = bytes.Length;
        response.OutputStream.Write(bytes, 0, bytes.Length);
        response.Close();
    }
}
