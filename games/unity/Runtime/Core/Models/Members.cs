using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>Code of a creator.</summary>
    public sealed class CreatorCode
    {
        public string Code { get; private set; }

        public bool IsPrimary { get; private set; }

        /// <summary>True if the publisher generated the code.</summary>
        public bool IsGenerated { get; private set; }

        /// <summary>True until a creator claims a generated code.</summary>
        public bool IsManaged { get; private set; }

        internal static CreatorCode Read(JsonValue value)
        {
            return new CreatorCode
            {
                Code = value.Text("code"),
                IsPrimary = value.Boolean("isPrimary"),
                IsGenerated = value.Boolean("isGenerated"),
                IsManaged = value.Boolean("isManaged"),
            };
        }
    }

    /// <summary>Creator in a group. Absent texts are null.</summary>
    public sealed class Member
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        /// <summary>Percent that purchases earn by default.</summary>
        public double GroupDefaultRevShare { get; private set; }

        /// <summary>Number of days that a player's code is in force.</summary>
        public long CodeTtlInDays { get; private set; }

        /// <summary>Account id of the creator.</summary>
        public string Id { get; private set; }

        public string Name { get; private set; }

        /// <summary>The publisher's own id of the creator.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Values that the publisher stored, as they are; null if there are none.</summary>
        public JsonValue PlayerMetadata { get; private set; }

        public string LogoImage { get; private set; }

        public string ProfileImage { get; private set; }

        /// <summary>All codes of the creator in the group, the primary one first.</summary>
        public IReadOnlyList<CreatorCode> Codes { get; private set; }

        internal static Member Read(JsonValue value)
        {
            return new Member
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                GroupDefaultRevShare = value.Number("groupDefaultRevShare"),
                CodeTtlInDays = value.Integer("codeTTLInDays"),
                Id = value.Text("id"),
                Name = value.Text("name"),
                PlayerId = value.TextOrNull("playerId"),
                PlayerMetadata = value.Find("playerMetadata"),
                LogoImage = value.TextOrNull("logoImage"),
                ProfileImage = value.TextOrNull("profileImage"),
                Codes = value.List("codes", CreatorCode.Read),
            };
        }
    }

    /// <summary>Page of a group's members.</summary>
    public sealed class MemberPage
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        public long CurrentPage { get; private set; }

        public long CurrentPageSize { get; private set; }

        /// <summary>Number of entries on all pages.</summary>
        public long TotalCount { get; private set; }

        public double GroupDefaultRevShare { get; private set; }

        public long CodeTtlInDays { get; private set; }

        public IReadOnlyList<Member> Members { get; private set; }

        internal static MemberPage Read(JsonValue value)
        {
            return new MemberPage
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                CurrentPage = value.Integer("currentPage"),
                CurrentPageSize = value.Integer("currentPageSize"),
                TotalCount = value.Integer("totalCount"),
                GroupDefaultRevShare = value.Number("groupDefaultRevShare"),
                CodeTtlInDays = value.Integer("codeTTLInDays"),
                Members = value.List("members", Member.Read),
            };
        }
    }
}
