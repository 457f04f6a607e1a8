using System;

namespace CreatorAttribution
{
    public enum CodeState
    {
        /// <summary>The field is empty.</summary>
        Empty,

        /// <summary>The player is typing.</summary>
        Waiting,

        /// <summary>The code is being looked up.</summary>
        Checking,

        /// <summary>The code is of a creator: see <see cref="CodeField.Member"/>.</summary>
        Found,

        /// <summary>The code is of no creator in the group.</summary>
        Unknown,

        /// <summary>The lookup failed, and is repeated after a pause: see <see cref="CodeField.Error"/>.</summary>
        Delayed,

        /// <summary>The lookup failed for good: see <see cref="CodeField.Error"/>. Setting the text again repeats it.</summary>
        Unavailable,
    }

    /// <summary>
    /// Field in which a player enters a creator's code. It looks the code up once the player hasn't typed for 300 ms, cancels
    /// the lookup before, waits as long as the service asks, and caches results.
    /// Call <see cref="Update"/> after the client's, in each frame.
    /// </summary>
    public sealed class CodeField
    {
        private const double SilenceMs = 300;
        private const int MaxLength = 255;
        private readonly AttributionClient client;
        private readonly string groupId;
        private readonly CodeCache cache = new CodeCache();
        private Call call;
        private bool isNew;
        private int tries;
        private double nowMs;
        private double nextMs = double.PositiveInfinity;
        private double blockedMs = double.NegativeInfinity;

        /// <param name="groupId">Group of the creators; null for the publisher's default group.</param>
        public CodeField(AttributionClient client, string groupId)
        {
            this.client = client;
            this.groupId = groupId;
        }

        /// <summary>Called after each change of the state.</summary>
        public event Action<CodeField> Changed;

        /// <summary>Text without spaces at its ends.</summary>
        public string Text { get; private set; } = "";

        public CodeState State { get; private set; } = CodeState.Empty;

        /// <summary>Creator of the code; null unless the state is Found.</summary>
        public Member Member { get; private set; }

        /// <summary>Why the lookup failed; null unless the state is Delayed or Unavailable.</summary>
        public AttributionError Error { get; private set; }

        /// <summary>Sets the text as the player has typed it so far.</summary>
        public void SetText(string typed)
        {
            var text = (typed ?? "").Trim(' ', '\t', '\r', '\n');
            if (text == Text && State != CodeState.Unavailable)
                return;
            Text = text;
            tries = 0;
            nextMs = double.PositiveInfinity;
            if (call != null)
                call.Cancel();
            call = null;
            isNew = text != "";
            if (text.Length > MaxLength || text == "." || text == "..")
                End(CodeState.Unknown, null, null);
            else
                Change(isNew ? CodeState.Waiting : CodeState.Empty, null, null);
        }

        /// <summary>Starts the lookup when it is due.</summary>
        public void Update(double now)
        {
            nowMs = now;
            Member cached;
            if (isNew && cache.TryGet(Text, now, out cached))
                End(cached == null ? CodeState.Unknown : CodeState.Found, cached, null);
            if (isNew)
                nextMs = Math.Max(now + SilenceMs, blockedMs);
            isNew = false;
            if (now < nextMs)
                return;
            nextMs = double.PositiveInfinity;
            tries++;
            var text = Text;
            call = client.GetMember(text, groupId, 1, result => Handle(text, result));
            Change(CodeState.Checking, null, null);
        }

        private void Handle(string text, Result<Member> result)
        {
            call = null;
            var error = result.Error;
            if (error == null || error.Code == "CodeNotInGroup" || error.Kind == ErrorKind.InvalidInput)
            {
                cache.Set(text, nowMs, result.Value);
                End(error == null ? CodeState.Found : CodeState.Unknown, result.Value, null);
                return;
            }
            var delayMs = error.Kind == ErrorKind.InvalidResponse
                ? null
                : RetryRules.DelayMs(tries, error.Status, error.RetryAfterMs, client.Options.Random());
            if (error.Status == 429)
                blockedMs = nowMs + (error.RetryAfterMs ?? delayMs ?? 0);
            if (delayMs == null)
            {
                End(CodeState.Unavailable, null, error);
                return;
            }
            nextMs = nowMs + delayMs.Value;
            Change(CodeState.Delayed, null, error);
        }

        private void End(CodeState state, Member member, AttributionError error)
        {
            isNew = false;
            nextMs = double.PositiveInfinity;
            Change(state, member, error);
        }

        private void Change(CodeState state, Member member, AttributionError error)
        {
            var isSame = state == State && state != CodeState.Delayed && member == Member;
            State = state;
            Member = member;
            Error = error;
            if (!isSame && Changed != null)
                Changed(this);
        }
    }
}
