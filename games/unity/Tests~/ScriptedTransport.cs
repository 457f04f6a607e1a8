using System;
using System.Collections.Generic;
using System.Text;

namespace CreatorAttribution.Tests
{
    /// <summary>Transport that answers from a list, at times of a virtual clock. Beyond the list, it never answers.</summary>
    public sealed class ScriptedTransport : ITransport
    {
        private readonly Queue<JsonValue> script;
        private readonly List<Waiting> waiting = new List<Waiting>();

        public ScriptedTransport(IEnumerable<JsonValue> responses)
        {
            script = new Queue<JsonValue>(responses);
        }

        public double NowMs { get; set; }

        public int Canceled { get; private set; }

        public IPendingRequest Send(HttpRequest request, Action<HttpResponse> done)
        {
            var next = script.Count == 0 ? null : script.Dequeue();
            var pending = new Waiting { Transport = this, Response = next, Done = done };
            pending.DueMs = next == null ? double.PositiveInfinity : NowMs + (next.Find("afterMs")?.AsNumber() ?? 0);
            waiting.Add(pending);
            return pending;
        }

        public void Poll()
        {
            foreach (var each in waiting.ToArray())
                if (NowMs >= each.DueMs)
                {
                    waiting.Remove(each);
                    each.Done(ResponseOf(each.Response));
                }
        }

        private static HttpResponse ResponseOf(JsonValue scripted)
        {
            if (scripted.Find("failure") != null)
                return HttpResponse.Failed(scripted.Find("failure").AsText());
            var base64 = scripted.Find("body64")?.AsText();
            var body = base64 == null
                ? Encoding.UTF8.GetBytes(scripted.Find("body")?.AsText() ?? "")
                : Convert.FromBase64String(base64);
            return new HttpResponse((int)(scripted.Find("status")?.AsInteger() ?? 200), body,
                scripted.Find("retryAfter")?.AsText());
        }

        private sealed class Waiting : IPendingRequest
        {
            public ScriptedTransport Transport;
            public JsonValue Response;
            public Action<HttpResponse> Done;
            public double DueMs;

            public void Cancel()
            {
                Transport.Canceled++;
                // Some responses are on their way already.
                if (Response?.Find("arrivesAnyway") == null)
                    Transport.waiting.Remove(this);
            }
        }
    }
}
