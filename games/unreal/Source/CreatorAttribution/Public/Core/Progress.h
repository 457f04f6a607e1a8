#pragma once

#include "Core/Bounties.h"

namespace CreatorAttribution
{
/** Objective, in short. */
struct ObjectiveInfo
{
	std::string Id;
	std::string Name;
	/** Number that is required. */
	std::int64_t Count = 0;
	std::string Condition;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Required("count", Count);
		Fields.Required("condition", Condition);
	}
};

/** Progress of a member toward an objective. */
struct ObjectiveProgress
{
	std::string Id;
	bool bCompleted = false;
	/** Number so far; for an Amount, in minor units of the currency. */
	std::int64_t Count = 0;
	ObjectiveInfo Objective;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("completed", bCompleted);
		Fields.Required("count", Count);
		Fields.Required("objective", Objective);
	}
};

/** Reward that a member received. */
struct ProgressReward
{
	std::string Id;
	std::string Name;
	std::string Type;
	std::optional<std::string> ExternalId;
	/** True once the reward was delivered. */
	bool bRewardCompleted = false;
	std::optional<std::string> RewardReferenceId;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Required("type", Type);
		Fields.Optional("externalId", ExternalId);
		Fields.Required("rewardCompleted", bRewardCompleted);
		Fields.Optional("rewardReferenceId", RewardReferenceId);
	}
};

/** One completion of a bounty. */
struct BountyCompletion
{
	std::string ObjectiveGroupId;
	std::vector<ObjectiveProgress> Objectives;
	std::vector<ProgressReward> Rewards;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("objectiveGroupId", ObjectiveGroupId);
		Fields.Required("objectives", Objectives);
		Fields.Required("rewards", Rewards);
	}
};

/** Member to whom progress belongs. */
struct ProgressMember
{
	std::string Id;
	std::optional<std::string> PlayerId;
	std::string Name;
	std::vector<CreatorCode> Codes;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Optional("playerId", PlayerId);
		Fields.Required("name", Name);
		Fields.Required("codes", Codes);
	}
};

/** Progress of a member toward a bounty. */
struct BountyProgress
{
	std::string Id;
	/** Name of the bounty; nothing in a bounty's own list. */
	std::optional<std::string> Name;
	/** Limit of the bounty; nothing in a bounty's own list. */
	std::optional<std::int64_t> Limit;
	/** True once the limit is reached. */
	bool bCompleted = false;
	std::int64_t CompletionCount = 0;
	std::optional<std::string> LastProgressCheck;
	/** Progress toward the next completion. */
	std::vector<ObjectiveProgress> CurrentObjectives;
	std::string CurrentObjectiveGroupId;
	/** The latest 100 completions, oldest first. */
	std::vector<BountyCompletion> CompletedObjectives;
	ProgressMember Member;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Optional("name", Name);
		Fields.Optional("limit", Limit);
		Fields.Required("completed", bCompleted);
		Fields.Required("completionCount", CompletionCount);
		Fields.Optional("lastProgressCheck", LastProgressCheck);
		Fields.Required("currentObjectives", CurrentObjectives);
		Fields.Required("currentObjectiveGroupId", CurrentObjectiveGroupId);
		Fields.Required("completedObjectives", CompletedObjectives);
		Fields.Required("member", Member);
	}
};

/** Page of the progress toward one bounty. */
struct BountyProgressPage
{
	std::int64_t CurrentPage = 0;
	std::int64_t CurrentPageSize = 0;
	/** Number of entries on all pages. */
	std::int64_t TotalCount = 0;
	std::vector<BountyProgress> Data;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("currentPage", CurrentPage);
		Fields.Required("currentPageSize", CurrentPageSize);
		Fields.Required("totalCount", TotalCount);
		Fields.Required("data", Data);
	}
};

/** Bounty, with the progress toward it if it was requested. */
struct BountyDetail
{
	std::string GroupId;
	std::string GroupName;
	Bounty Definition;
	std::optional<BountyProgressPage> Progress;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("bounty", Definition);
		Fields.Optional("progress", Progress);
	}
};

/** Page of one member's progress. */
struct MemberProgressPage
{
	std::string GroupId;
	std::string GroupName;
	std::int64_t CurrentPage = 0;
	std::int64_t CurrentPageSize = 0;
	/** Number of entries on all pages. */
	std::int64_t TotalCount = 0;
	std::string MemberId;
	std::optional<std::string> PlayerId;
	std::vector<BountyProgress> Progress;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("currentPage", CurrentPage);
		Fields.Required("currentPageSize", CurrentPageSize);
		Fields.Required("totalCount", TotalCount);
		Fields.Required("memberId", MemberId);
		Fields.Optional("playerId", PlayerId);
		Fields.Required("progress", Progress);
	}
};
}
