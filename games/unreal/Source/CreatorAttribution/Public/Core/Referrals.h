#pragma once

#include "Core/Members.h"

namespace CreatorAttribution
{
/** Supporter of a creator. */
struct Referral
{
	std::string Id;
	/** Code that the player entered. */
	std::string Code;
	std::string ReferralDate;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("id", Id);
		Fields.Required("code", Code);
		Fields.Required("referralDate", ReferralDate);
	}
};

/** Page of a creator's supporters. */
struct ReferralPage
{
	std::string GroupId;
	std::string GroupName;
	std::int64_t CurrentPage = 0;
	std::int64_t CurrentPageSize = 0;
	/** Number of supporters on all pages. */
	std::int64_t TotalCount = 0;
	/** Account id of the creator; nothing if the page was read by code. */
	std::optional<std::string> MemberId;
	/** The publisher's own id of the creator. */
	std::optional<std::string> PlayerId;
	std::vector<CreatorCode> Codes;
	std::vector<Referral> Referrals;

	template <class FieldsType>
	void Map(FieldsType& Fields)
	{
		Fields.Required("groupId", GroupId);
		Fields.Required("groupName", GroupName);
		Fields.Required("currentPage", CurrentPage);
		Fields.Required("currentPageSize", CurrentPageSize);
		Fields.Required("totalCount", TotalCount);
		Fields.Optional("memberId", MemberId);
		Fields.Optional("playerId", PlayerId);
		// The read by code has another name for the same list.
		Fields.Required(Fields.Has("referralCodes") ? "referralCodes" : "codes", Codes);
		Fields.Required("referrals", Referrals);
	}
};
}
