using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>
    /// Results of lookups. Members count for five minutes. A code without a member counts for half a minute only, because a
    /// new code works at once.
    /// </summary>
    internal sealed class CodeCache
    {
        private const double MemberMs = 5 * 60 * 1000;
        private const double UnknownMs = 30 * 1000;
        private const int MaxEntries = 100;
        private readonly Dictionary<string, Entry> entries = new Dictionary<string, Entry>();
        private readonly Queue<string> order = new Queue<string>();

        /// <param name="member">Member, or null if the code has none.</param>
        /// <returns>false if the code is not cached</returns>
        public bool TryGet(string code, double nowMs, out Member member)
        {
            Entry entry;
            var isCached = entries.TryGetValue(Fold(code), out entry) && nowMs < entry.EndMs;
            member = isCached ? entry.Member : null;
            return isCached;
        }

        public void Set(string code, double nowMs, Member member)
        {
            var key = Fold(code);
            if (!entries.ContainsKey(key))
                order.Enqueue(key);
            entries[key] = new Entry { Member = member, EndMs = nowMs + (member == null ? UnknownMs : MemberMs) };
            if (order.Count > MaxEntries)
                entries.Remove(order.Dequeue());
        }

        /// <summary>Returns a code in ASCII upper case. The service folds other letters as well, which costs a lookup here.</summary>
        private static string Fold(string code)
        {
            var characters = code.ToCharArray();
            for (var index = 0; index < characters.Length; index++)
                if (characters[index] >= 'a' && characters[index] <= 'z')
                    characters[index] -= (char)('a' - 'A');
            return new string(characters);
        }

        private struct Entry
        {
            public Member Member;
            public double EndMs;
        }
    }
}
