using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>Id and the corresponding name.</summary>
    public sealed class IdAndName
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        internal static IdAndName Read(JsonValue value)
        {
            return new IdAndName
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
            };
        }
    }

    /// <summary>Condition that a member has to meet.</summary>
    public sealed class BountyObjective
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        /// <summary>Purchase, NewPlayers or Event.</summary>
        public string Type { get; private set; }

        /// <summary>Count or Amount.</summary>
        public string Condition { get; private set; }

        /// <summary>Number that is required; for an Amount, in minor units of the currency.</summary>
        public long Count { get; private set; }

        public string Currency { get; private set; }

        public string EventCode { get; private set; }

        /// <summary>SKUs whose purchases count; all if it is empty.</summary>
        public IReadOnlyList<IdAndName> Skus { get; private set; }

        internal static BountyObjective Read(JsonValue value)
        {
            return new BountyObjective
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
                Type = value.Text("type"),
                Condition = value.Text("condition"),
                Count = value.Integer("count"),
                Currency = value.TextOrNull("currency"),
                EventCode = value.TextOrNull("eventCode"),
                Skus = value.List("skus", IdAndName.Read),
            };
        }
    }

    /// <summary>Reward for completing a bounty.</summary>
    public sealed class BountyReward
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        /// <summary>External, Payment or Sku.</summary>
        public string Type { get; private set; }

        public IdAndName Sku { get; private set; }

        /// <summary>Amount of a payment in minor units of the currency.</summary>
        public long? Amount { get; private set; }

        public string Currency { get; private set; }

        /// <summary>The publisher's own id of the reward.</summary>
        public string ExternalId { get; private set; }

        internal static BountyReward Read(JsonValue value)
        {
            return new BountyReward
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
                Type = value.Text("type"),
                Sku = value.ObjectOrNull("sku", IdAndName.Read),
                Amount = value.IntegerOrNull("amount"),
                Currency = value.TextOrNull("currency"),
                ExternalId = value.TextOrNull("externalId"),
            };
        }
    }

    /// <summary>Objectives for the members of a group, and the rewards for reaching them. Times are ISO 8601.</summary>
    public sealed class Bounty
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        public string Description { get; private set; }

        public string ImageSrc { get; private set; }

        public string RewardDescription { get; private set; }

        /// <summary>How often a member can complete the bounty; null if there is no limit.</summary>
        public long? Limit { get; private set; }

        public string StartsAt { get; private set; }

        public string EndsAt { get; private set; }

        public string LastProgressCheck { get; private set; }

        public IReadOnlyList<BountyObjective> Objectives { get; private set; }

        public IReadOnlyList<BountyReward> Rewards { get; private set; }

        /// <summary>Bounties to complete first.</summary>
        public IReadOnlyList<IdAndName> Prerequisites { get; private set; }

        /// <summary>Bounties that this one is required for.</summary>
        public IReadOnlyList<IdAndName> Dependants { get; private set; }

        internal static Bounty Read(JsonValue value)
        {
            return new Bounty
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
                Description = value.TextOrNull("description"),
                ImageSrc = value.TextOrNull("imageSrc"),
                RewardDescription = value.TextOrNull("rewardDescription"),
                Limit = value.IntegerOrNull("limit"),
                StartsAt = value.Text("startsAt"),
                EndsAt = value.TextOrNull("endsAt"),
                LastProgressCheck = value.TextOrNull("lastProgressCheck"),
                Objectives = value.List("objectives", BountyObjective.Read),
                Rewards = value.List("rewards", BountyReward.Read),
                Prerequisites = value.List("prerequisites", IdAndName.Read),
                Dependants = value.List("dependants", IdAndName.Read),
            };
        }
    }

    /// <summary>Page of a group's bounties.</summary>
    public sealed class BountyPage
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        public long CurrentPage { get; private set; }

        public long CurrentPageSize { get; private set; }

        /// <summary>Number of entries on all pages.</summary>
        public long TotalCount { get; private set; }

        public IReadOnlyList<Bounty> Bounties { get; private set; }

        internal static BountyPage Read(JsonValue value)
        {
            return new BountyPage
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                CurrentPage = value.Integer("currentPage"),
                CurrentPageSize = value.Integer("currentPageSize"),
                TotalCount = value.Integer("totalCount"),
                Bounties = value.List("bounties", Bounty.Read),
            };
        }
    }
}
