#include "FieldWriter.h"
#include "Session.h"

namespace CreatorAttribution::Tests
{
namespace
{
template <class T>
JsonValue ValuesOf(const Result<T>& Ended)
{
	if (Ended.IsOk())
	{
		T Value = *Ended.Value;
		return Answer().Add("value", FieldWriter::Write(Value)).ToJson();
	}
	static const char* const Kinds[] = {"Rejected", "ConnectionFailed", "TimedOut", "InvalidResponse", "InvalidInput"};
	const CallError& Error = *Ended.Error;
	Answer Out;
	Out.Add("kind", std::string(Kinds[static_cast<int>(Error.Kind)])).Add("status", std::int64_t(Error.Status));
	Out.Add("code", Error.Code).Add("message", Error.Message).Add("tries", std::int64_t(Error.Tries));
	if (Error.RetryAfterMs)
		Out.Add("retryAfterMs", *Error.RetryAfterMs);
	return Answer().Add("error", Out.ToJson()).ToJson();
}
}

CallPtr StartCall(Client& Reader, const JsonValue& Command, std::function<void(JsonValue)> OnDone)
{
	const std::string Name = TextOf(Command, "call");
	// JSON can't have malformed UTF-8.
	const std::string Id = Command.Find("id64") == nullptr ? TextOf(Command, "id") : FromBase64(TextOf(Command, "id64"));
	const std::string Group = TextOf(Command, "groupId");
	const bool bFlag = Command.Find("flag") != nullptr && Command.Find("flag")->AsBoolean().value_or(false);
	const int Page = static_cast<int>(NumberOf(Command, "page", 0));
	const int Size = static_cast<int>(NumberOf(Command, "pageSize", 0));
	const auto Report = [OnDone = std::move(OnDone)](const auto& Ended) { OnDone(ValuesOf(Ended)); };
	if (Name == "listMembers")
		return Reader.ListMembers(Group, Page, Size, Report);
	if (Name == "getMemberByCode")
		return Reader.GetMember(Id, Group, Report);
	if (Name == "getMemberById")
		return Reader.GetMemberById(Id, Group, Report);
	if (Name == "getMemberByPlayer")
		return Reader.GetMemberByPlayer(Id, Group, Report);
	if (Name == "listBounties")
		return Reader.ListBounties(Group, Page, Size, Report);
	if (Name == "getBounty")
		return Reader.GetBounty(Id, bFlag, Group, Page, Size, Report);
	if (Name == "getMemberProgress")
		return Reader.ListProgress(Id, Group, Page, Size, Report);
	if (Name == "getPlayerReferrals")
		return Reader.ListReferralsOfPlayer(Id, bFlag, Group, Page, Size, Report);
	if (Name == "getCodeReferrals")
		return Reader.ListReferralsOfCode(Id, bFlag, Group, Page, Size, Report);
	if (Name == "getReferralCode")
		return Reader.GetReferralCode(Id, Group, Report);
	return nullptr;
}
}
