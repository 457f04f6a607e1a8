using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>Supporter of a creator.</summary>
    public sealed class Referral
    {
        public string Id { get; private set; }

        /// <summary>Code that the player entered.</summary>
        public string Code { get; private set; }

        public string ReferralDate { get; private set; }

        internal static Referral Read(JsonValue value)
        {
            return new Referral
            {
                Id = value.Text("id"),
                Code = value.Text("code"),
                ReferralDate = value.Text("referralDate"),
            };
        }
    }

    /// <summary>Page of a creator's supporters.</summary>
    public sealed class ReferralPage
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        public long CurrentPage { get; private set; }

        public long CurrentPageSize { get; private set; }

        /// <summary>Number of supporters on all pages.</summary>
        public long TotalCount { get; private set; }

        /// <summary>Account id of the creator; null if the page was read by code.</summary>
        public string MemberId { get; private set; }

        /// <summary>The publisher's own id of the creator; null if there is none.</summary>
        public string PlayerId { get; private set; }

        public IReadOnlyList<CreatorCode> Codes { get; private set; }

        public IReadOnlyList<Referral> Referrals { get; private set; }

        internal static ReferralPage Read(JsonValue value)
        {
            return new ReferralPage
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                CurrentPage = value.Integer("currentPage"),
                CurrentPageSize = value.Integer("currentPageSize"),
                TotalCount = value.Integer("totalCount"),
                MemberId = value.TextOrNull("memberId"),
                PlayerId = value.TextOrNull("playerId"),
                // The read by code has another name for the same list.
                Codes = value.List(value.Find("codes") == null ? "referralCodes" : "codes", CreatorCode.Read),
                Referrals = value.List("referrals", Referral.Read),
            };
        }
    }
}
