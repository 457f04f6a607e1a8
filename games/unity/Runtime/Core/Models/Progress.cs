using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>Objective, in short.</summary>
    public sealed class ObjectiveInfo
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        /// <summary>Number that is required.</summary>
        public long Count { get; private set; }

        public string Condition { get; private set; }

        internal static ObjectiveInfo Read(JsonValue value)
        {
            return new ObjectiveInfo
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
                Count = value.Integer("count"),
                Condition = value.Text("condition"),
            };
        }
    }

    /// <summary>Progress of a member toward an objective.</summary>
    public sealed class ObjectiveProgress
    {
        public string Id { get; private set; }

        public bool Completed { get; private set; }

        /// <summary>Number so far; for an Amount, in minor units of the currency.</summary>
        public long Count { get; private set; }

        public ObjectiveInfo Objective { get; private set; }

        internal static ObjectiveProgress Read(JsonValue value)
        {
            return new ObjectiveProgress
            {
                Id = value.Text("id"),
                Completed = value.Boolean("completed"),
                Count = value.Integer("count"),
                Objective = value.Object("objective", ObjectiveInfo.Read),
            };
        }
    }

    /// <summary>Reward that a member received.</summary>
    public sealed class ProgressReward
    {
        public string Id { get; private set; }

        public string Name { get; private set; }

        public string Type { get; private set; }

        public string ExternalId { get; private set; }

        /// <summary>True once the reward was delivered.</summary>
        public bool RewardCompleted { get; private set; }

        public string RewardReferenceId { get; private set; }

        internal static ProgressReward Read(JsonValue value)
        {
            return new ProgressReward
            {
                Id = value.Text("id"),
                Name = value.Text("name"),
                Type = value.Text("type"),
                ExternalId = value.TextOrNull("externalId"),
                RewardCompleted = value.Boolean("rewardCompleted"),
                RewardReferenceId = value.TextOrNull("rewardReferenceId"),
            };
        }
    }

    /// <summary>One completion of a bounty.</summary>
    public sealed class BountyCompletion
    {
        public string ObjectiveGroupId { get; private set; }

        public IReadOnlyList<ObjectiveProgress> Objectives { get; private set; }

        public IReadOnlyList<ProgressReward> Rewards { get; private set; }

        internal static BountyCompletion Read(JsonValue value)
        {
            return new BountyCompletion
            {
                ObjectiveGroupId = value.Text("objectiveGroupId"),
                Objectives = value.List("objectives", ObjectiveProgress.Read),
                Rewards = value.List("rewards", ProgressReward.Read),
            };
        }
    }

    /// <summary>Member to whom progress belongs.</summary>
    public sealed class ProgressMember
    {
        public string Id { get; private set; }

        public string PlayerId { get; private set; }

        public string Name { get; private set; }

        public IReadOnlyList<CreatorCode> Codes { get; private set; }

        internal static ProgressMember Read(JsonValue value)
        {
            return new ProgressMember
            {
                Id = value.Text("id"),
                PlayerId = value.TextOrNull("playerId"),
                Name = value.Text("name"),
                Codes = value.List("codes", CreatorCode.Read),
            };
        }
    }

    /// <summary>Progress of a member toward a bounty.</summary>
    public sealed class BountyProgress
    {
        public string Id { get; private set; }

        /// <summary>Name of the bounty; null in a bounty's own list.</summary>
        public string Name { get; private set; }

        /// <summary>Limit of the bounty; null in a bounty's own list.</summary>
        public long? Limit { get; private set; }

        /// <summary>True once the limit is reached.</summary>
        public bool Completed { get; private set; }

        public long CompletionCount { get; private set; }

        public string LastProgressCheck { get; private set; }

        /// <summary>Progress toward the next completion.</summary>
        public IReadOnlyList<ObjectiveProgress> CurrentObjectives { get; private set; }

        public string CurrentObjectiveGroupId { get; private set; }

        /// <summary>The latest 100 completions, oldest first.</summary>
        public IReadOnlyList<BountyCompletion> CompletedObjectives { get; private set; }

        public ProgressMember Member { get; private set; }

        internal static BountyProgress Read(JsonValue value)
        {
            return new BountyProgress
            {
                Id = value.Text("id"),
                Name = value.TextOrNull("name"),
                Limit = value.IntegerOrNull("limit"),
                Completed = value.Boolean("completed"),
                CompletionCount = value.Integer("completionCount"),
                LastProgressCheck = value.TextOrNull("lastProgressCheck"),
                CurrentObjectives = value.List("currentObjectives", ObjectiveProgress.Read),
                CurrentObjectiveGroupId = value.Text("currentObjectiveGroupId"),
                CompletedObjectives = value.List("completedObjectives", BountyCompletion.Read),
                Member = value.Object("member", ProgressMember.Read),
            };
        }
    }

    /// <summary>Page of the progress toward one bounty.</summary>
    public sealed class BountyProgressPage
    {
        public long CurrentPage { get; private set; }

        public long CurrentPageSize { get; private set; }

        /// <summary>Number of entries on all pages.</summary>
        public long TotalCount { get; private set; }

        public IReadOnlyList<BountyProgress> Data { get; private set; }

        internal static BountyProgressPage Read(JsonValue value)
        {
            return new BountyProgressPage
            {
                CurrentPage = value.Integer("currentPage"),
                CurrentPageSize = value.Integer("currentPageSize"),
                TotalCount = value.Integer("totalCount"),
                Data = value.List("data", BountyProgress.Read),
            };
        }
    }

    /// <summary>Bounty, with the progress toward it if it was requested.</summary>
    public sealed class BountyDetail
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        public Bounty Bounty { get; private set; }

        public BountyProgressPage Progress { get; private set; }

        internal static BountyDetail Read(JsonValue value)
        {
            return new BountyDetail
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                Bounty = value.Object("bounty", Bounty.Read),
                Progress = value.ObjectOrNull("progress", BountyProgressPage.Read),
            };
        }
    }

    /// <summary>Page of one member's progress.</summary>
    public sealed class MemberProgressPage
    {
        public string GroupId { get; private set; }

        public string GroupName { get; private set; }

        public long CurrentPage { get; private set; }

        public long CurrentPageSize { get; private set; }

        /// <summary>Number of entries on all pages.</summary>
        public long TotalCount { get; private set; }

        public string MemberId { get; private set; }

        public string PlayerId { get; private set; }

        public IReadOnlyList<BountyProgress> Progress { get; private set; }

        internal static MemberProgressPage Read(JsonValue value)
        {
            return new MemberProgressPage
            {
                GroupId = value.Text("groupId"),
                GroupName = value.Text("groupName"),
                CurrentPage = value.Integer("currentPage"),
                CurrentPageSize = value.Integer("currentPageSize"),
                TotalCount = value.Integer("totalCount"),
                MemberId = value.Text("memberId"),
                PlayerId = value.TextOrNull("playerId"),
                Progress = value.List("progress", BountyProgress.Read),
            };
        }
    }
}
