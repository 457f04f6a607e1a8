using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text;
using System.Threading;

namespace CreatorAttribution.Tests
{
    /// <summary>
    /// Reads commands from standard input, one JSON object a line, and answers each with a line of JSON. The tests of the
    /// service (packages/server/test/games) write the commands and compare the answers. Only ASCII is written.
    /// </summary>
    public static class Driver
    {
        public static void Main()
        {
            string line;
            while ((line = Console.In.ReadLine()) != null)
            {
                object answer;
                try
                {
                    answer = Run(JsonReader.Read(line));
                }
                catch (Exception fault)
                {
                    answer = new Dictionary<string, object> { { "thrown", fault.Message }, { "type", fault.GetType().Name } };
                }
                Console.Out.WriteLine(Ascii(Values.Of(answer).ToString()));
            }
        }

        private static object Run(JsonValue command)
        {
            switch (command.Find("do").AsText())
            {
                case "options":
                    var options = new ClientOptions(Text(command, "baseUrl"), Text(command, "key"));
                    return new Dictionary<string, object> { { "baseAddress", options.BaseAddress } };
                case "json":
                    return new Dictionary<string, object> { { "written", JsonReader.Read(Text(command, "text")).ToString() } };
                case "delay":
                    var now = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMilliseconds(Number(command, "nowMs", 0));
                    var asked = RetryRules.ReadRetryAfter(Text(command, "retryAfter"), now);
                    var delay = RetryRules.DelayMs((int)Number(command, "attempt", 1), (int)Number(command, "status", 0), asked,
                        Number(command, "random", 0));
                    return new Dictionary<string, object> { { "delayMs", delay } };
                case "call":
                    return new Session(command).Call();
                default:
                    return new Session(command).Field();
            }
        }

        internal static string Text(JsonValue value, string name)
        {
            return value.Find(name)?.AsText();
        }

        internal static double Number(JsonValue value, string name, double otherwise)
        {
            return value.Find(name)?.AsNumber() ?? otherwise;
        }

        private static string Ascii(string text)
        {
            var builder = new StringBuilder();
            foreach (var character in text)
                if (character < 128)
                    builder.Append(character);
                else
                    builder.Append("\\u").Append(((int)character).ToString("x4"));
            return builder.ToString();
        }
    }

    /// <summary>Client, transport and clock of one command.</summary>
    internal sealed class Session : ITransport
    {
        private readonly JsonValue command;
        private readonly SocketTransport sockets = new SocketTransport();
        private readonly ScriptedTransport scripted;
        private readonly Stopwatch watch = Stopwatch.StartNew();
        private readonly List<object> requests = new List<object>();
        private readonly AttributionClient client;
        private double nowMs = 1000000;

        public Session(JsonValue command)
        {
            this.command = command;
            var responses = command.Find("responses");
            if (responses != null)
                scripted = new ScriptedTransport(responses.Items);
            var options = new ClientOptions(Driver.Text(command, "baseUrl"), Driver.Text(command, "key"));
            options.Random = () => Driver.Number(command, "random", 0);
            options.TryTimeoutMs = (int)Driver.Number(command, "tryTimeoutMs", options.TryTimeoutMs);
            options.TotalTimeoutMs = (int)Driver.Number(command, "totalTimeoutMs", options.TotalTimeoutMs);
            options.MaxBodyBytes = (int)Driver.Number(command, "maxBodyBytes", options.MaxBodyBytes);
            client = new AttributionClient(options, this);
        }

        public IPendingRequest Send(HttpRequest request, Action<HttpResponse> done)
        {
            requests.Add(new Dictionary<string, object>
            {
                { "at", (long)(nowMs - 1000000) }, { "url", request.Url }, { "key", request.Headers["X-SHARED-SECRET"] },
            });
            return scripted == null ? sockets.Send(request, done) : scripted.Send(request, done);
        }

        public object Call()
        {
            var answer = new Dictionary<string, object>();
            var call = Calls.Start(client, command, result => answer["result"] = result);
            while (!call.IsDone)
            {
                Step();
                client.Update(nowMs);
                if (nowMs > 1000000 + Driver.Number(command, "cancelAtMs", double.MaxValue))
                    call.Cancel();
            }
            return Answer(answer);
        }

        public object Field()
        {
            var changes = new List<object>();
            var field = new CodeField(client, Driver.Text(command, "groupId"));
            field.Changed += changed => changes.Add(new Dictionary<string, object>
            {
                { "at", (long)(nowMs - 1000000) }, { "text", changed.Text }, { "state", changed.State.ToString() },
                { "member", changed.Member?.Id }, { "code", changed.Error?.Code }, { "status", changed.Error?.Status },
            });
            var steps = new Queue<JsonValue>(command.Find("steps").Items);
            while (nowMs - 1000000 <= Driver.Number(command, "endMs", 0))
            {
                Step();
                while (steps.Count > 0 && nowMs - 1000000 >= Driver.Number(steps.Peek(), "at", 0))
                    field.SetText(Driver.Text(steps.Dequeue(), "text"));
                client.Update(nowMs);
                field.Update(nowMs);
            }
            return Answer(new Dictionary<string, object> { { "changes", changes } });
        }

        private object Answer(Dictionary<string, object> answer)
        {
            answer["requests"] = requests;
            answer["canceled"] = scripted?.Canceled;
            answer["elapsedMs"] = (long)(nowMs - 1000000);
            return answer;
        }

        /// <summary>Moves the clock by 10 ms: the virtual one for scripted responses, or else the real one.</summary>
        private void Step()
        {
            if (scripted == null)
            {
                Thread.Sleep(2);
                nowMs = 1000000 + watch.ElapsedMilliseconds;
                sockets.Poll();
                return;
            }
            nowMs += 10;
            scripted.NowMs = nowMs;
            scripted.Poll();
        }
    }
}
