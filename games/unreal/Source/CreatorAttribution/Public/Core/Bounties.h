#pragma once

#include "Core/Members.h"

namespace CreatorAttribution
{
/** Id and the corresponding name. */
struct IdAndName
{
	std::string Id;
	std::string Name;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
	}
};

/** Condition that a member has to meet. */
struct BountyObjective
{
	std::string Id;
	std::string Name;
	/** Purchase, NewPlayers or Event. */
	std::string Type;
	/** Count or Amount. */
	std::string Condition;
	/** Number that is required; for an Amount, in minor units of the currency. */
	std::int64_t Count = 0;
	std::optional<std::string> Currency;
	std::optional<std::string> EventCode;
	/** SKUs whose purchases count; all if it is empty. */
	std::vector<IdAndName> Skus;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Required("type", Type);
		Fields.Required("condition", Condition);
		Fields.Required("count", Count);
		Fields.Optional("currency", Currency);
		Fields.Optional("eventCode", EventCode);
		Fields.Required("skus", Skus);
	}
};

/** Reward for completing a bounty. */
struct BountyReward
{
	std::string Id;
	std::string Name;
	/** External, Payment or Sku. */
	std::string Type;
	std::optional<IdAndName> Sku;
	/** Amount of a payment in minor units of the currency. */
	std::optional<std::int64_t> Amount;
	std::optional<std::string> Currency;
	/** The publisher's own id of the reward. */
	std::optional<std::string> ExternalId;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Required("type", Type);
		Fields.Optional("sku", Sku);
		Fields.Optional("amount", Amount);
		Fields.Optional("currency", Currency);
		Fields.Optional("externalId", ExternalId);
	}
};

/** Objectives for the members of a group, and the rewards for reaching them. Times are ISO 8601. */
struct Bounty
{
	std::string Id;
	std::string Name;
	std::optional<std::string> Description;
	std::optional<std::string> ImageSrc;
	std::optional<std::string> RewardDescription;
	/** How often a member can complete the bounty; nothing if there is no limit. */
	std::optional<std::int64_t> Limit;
	std::string StartsAt;
	std::optional<std::string> EndsAt;
	std::optional<std::string> LastProgressCheck;
	std::vector<BountyObjective> Objectives;
	std::vector<BountyReward> Rewards;
	/** Bounties to complete first. */
	std::vector<IdAndName> Prerequisites;
	/** Bounties that this one is required for. */
	std::vector<IdAndName> Dependants;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Optional("description", Description);
		Fields.Optional("imageSrc", ImageSrc);
		Fields.Optional("rewardDescription", RewardDescription);
		Fields.Optional("limit", Limit);
		Fields.Required("startsAt", StartsAt);
		Fields.Optional("endsAt", EndsAt);
		Fields.Optional("lastProgressCheck", LastProgressCheck);
		Fields.Required("objectives", Objectives);
		Fields.Required("rewards", Rewards);
		Fields.Required("prerequisites", Prerequisites);
		Fields.Required("dependants", Dependants);
	}
};

/** Page of a group's bounties. */
struct BountyPage
{
	std::string GroupId;
	std::string GroupName;
	std::int64_t CurrentPage = 0;
	std::int64_t CurrentPageSize = 0;
	/** Number of entries on all pages. */
	std::int64_t TotalCount = 0;
	std::vector<Bounty> Bounties;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("currentPage", CurrentPage);
		Fields.Required("currentPageSize", CurrentPageSize);
		Fields.Required("totalCount", TotalCount);
		Fields.Required("bounties", Bounties);
	}
};
}
