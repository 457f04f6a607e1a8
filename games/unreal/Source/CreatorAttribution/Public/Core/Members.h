#pragma once

#include "Core/Json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CreatorAttribution
{
// Each model lists its fields once, in Map: Fields.h reads them, and the tests write them.

/** Code of a creator. */
struct CreatorCode
{
	std::string Code;
	bool bIsPrimary = false;
	/** True if the publisher generated the code. */
	bool bIsGenerated = false;
	/** True until a creator claims a generated code. */
	bool bIsManaged = false;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("code", Code);
		Fields.Required("isPrimary", bIsPrimary);
		Fields.Required("isGenerated", bIsGenerated);
		Fields.Required("isManaged", bIsManaged);
	}
};

/** Creator in a group. */
struct Member
{
	std::string GroupId;
	std::string GroupName;
	/** Percent that purchases earn by default. */
	double GroupDefaultRevShare = 0;
	/** Number of days that a player's code is in force. */
	std::int64_t CodeTtlInDays = 0;
	/** Account id of the creator. */
	std::string Id;
	std::string Name;
	/** The publisher's own id of the creator. */
	std::optional<std::string> PlayerId;
	/** Values that the publisher stored, as they are; nothing if there are none. */
	std::optional<JsonValue> PlayerMetadata;
	std::optional<std::string> LogoImage;
	std::optional<std::string> ProfileImage;
	/** All codes of the creator in the group, the primary one first. */
	std::vector<CreatorCode> Codes;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("groupDefaultRevShare", GroupDefaultRevShare);
		Fields.Required("codeTTLInDays", CodeTtlInDays);
		Fields.Required("id", Id);
		Fields.Required("name", Name);
		Fields.Optional("playerId", PlayerId);
		Fields.Optional("playerMetadata", PlayerMetadata);
		Fields.Optional("logoImage", LogoImage);
		Fields.Optional("profileImage", ProfileImage);
		Fields.Required("codes", Codes);
	}
};

/** Page of a group's members. */
struct MemberPage
{
	std::string GroupId;
	std::string GroupName;
	std::int64_t CurrentPage = 0;
	std::int64_t CurrentPageSize = 0;
	/** Number of entries on all pages. */
	std::int64_t TotalCount = 0;
	double GroupDefaultRevShare = 0;
	std::int64_t CodeTtlInDays = 0;
	std::vector<Member> Members;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("currentPage", CurrentPage);
		Fields.Required("currentPageSize", CurrentPageSize);
		Fields.Required("totalCount", TotalCount);
		Fields.Required("groupDefaultRevShare", GroupDefaultRevShare);
		Fields.Required("codeTTLInDays", CodeTtlInDays);
		Fields.Required("members", Members);
	}
};
}
