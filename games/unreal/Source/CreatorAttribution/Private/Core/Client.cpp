#include "Core/Client.h"

#include "Core/Address.h"
#include "Core/Responses.h"

#include <algorithm>
#include <random>

namespace CreatorAttribution
{
namespace
{
/** Returns what is wrong with a key; empty if nothing is. */
std::string FaultOfKey(std::string_view Key)
{
	if (Key.substr(0, 7) == "svc_sk_")
		return "A secret key must never be in a game. Use a public key (svc_pk_...).";
	if (Key.substr(0, 7) != "svc_pk_")
		return "A public key (svc_pk_...) is required.";
	for (const char Each : Key)
		if (!IsLetterOrDigit(Each) && Each != '_')
			return "The public key has a character that no key has.";
	return "";
}

Address Paged(Address To, std::string_view GroupId, int Page, int PageSize)
{
	return To.QueryText("groupId", GroupId).QueryNumber("page", Page).QueryNumber("pageSize", PageSize);
}

Address Supporters(Address To, bool bExcludeReferralList, std::string_view GroupId, int Page, int PageSize)
{
	To.QueryText("groupId", GroupId).QueryFlag("excludeReferralList", bExcludeReferralList);
	return To.QueryNumber("page", Page).QueryNumber("pageSize", PageSize);
}
}

std::unique_ptr<Client> Client::Create(ClientOptions Options, Transport& Sender, std::string& Fault)
{
	const std::optional<std::string> BaseAddress = Address::Normalize(Options.BaseAddress);
	Fault = BaseAddress ? FaultOfKey(Options.PublicKey) : "The base address must be like https://creators.example.";
	if (!Fault.empty())
		return nullptr;
	Options.BaseAddress = *BaseAddress;
	if (!Options.Limits.Random)
		Options.Limits.Random = [Engine = std::minstd_rand(std::random_device{}())]() mutable {
			return std::uniform_real_distribution<double>(0, 1)(Engine);
		};
	return std::unique_ptr<Client>(new Client(std::move(Options), Sender));
}

Client::Client(ClientOptions InOptions, Transport& InSender) : Settings(std::move(InOptions)), Sender(InSender)
{
}

Client::~Client()
{
	for (const CallPtr& Each : Calls)
		Each->Cancel();
}

void Client::Update(double NowMs)
{
	if (bIsUpdating)
		return;
	bIsUpdating = true;
	// Results may start other calls, which are added behind.
	for (std::size_t Index = 0; Index < Calls.size(); ++Index)
	{
		const CallPtr Each = Calls[Index];
		Each->Update(NowMs);
	}
	Calls.erase(std::remove_if(Calls.begin(), Calls.end(), [](const CallPtr& Each) { return Each->IsDone(); }), Calls.end());
	bIsUpdating = false;
}

template <class T>
CallPtr Client::Start(const Address& To, Done<T> OnDone, int MaxAttempts)
{
	HttpRequest Request;
	Request.Url = To.On(Settings.BaseAddress);
	Request.Headers = {{"Accept", "application/json, text/plain"}, {"X-SHARED-SECRET", Settings.PublicKey}};
	Request.MaxBodyBytes = Settings.Limits.MaxBodyBytes;
	const CallPtr Started = std::make_shared<Call>(Settings.Limits, Sender, std::move(Request), MaxAttempts);
	Started->Finish = [OnDone](const HttpResponse& Response) {
		std::optional<CallError> Error = RejectionOf(Response);
		if (Error)
			return Error;
		Result<T> Ended;
		Error = ReadBody(Response, Ended.Value.emplace());
		if (!Error)
			OnDone(Ended);
		return Error;
	};
	Started->OnError = [OnDone](CallError Error) {
		Result<T> Ended;
		Ended.Error = std::move(Error);
		OnDone(Ended);
	};
	if (!To.Fault().empty())
	{
		CallError Error;
		Error.Kind = ErrorKind::InvalidInput;
		Error.Message = To.Fault();
		Started->Failure = Error;
	}
	Calls.push_back(Started);
	return Started;
}

CallPtr Client::ListMembers(std::string_view GroupId, int Page, int PageSize, Done<MemberPage> OnDone)
{
	return Start(Paged(Address().Fixed("manage/members"), GroupId, Page, PageSize), std::move(OnDone));
}

CallPtr Client::GetMember(std::string_view Code, std::string_view GroupId, Done<Member> OnDone, int MaxAttempts)
{
	const Address To = Address().Fixed("manage/members").Value("code", Code).QueryText("groupId", GroupId);
	return Start(To, std::move(OnDone), MaxAttempts);
}

CallPtr Client::GetMemberById(std::string_view MemberId, std::string_view GroupId, Done<Member> OnDone)
{
	const Address To = Address().Fixed("manage/members/id").Value("memberId", MemberId).QueryText("groupId", GroupId);
	return Start(To, std::move(OnDone));
}

CallPtr Client::GetMemberByPlayer(std::string_view PlayerId, std::string_view GroupId, Done<Member> OnDone)
{
	const Address To = Address().Fixed("manage/members/player").Value("playerId", PlayerId).QueryText("groupId", GroupId);
	return Start(To, std::move(OnDone));
}

CallPtr Client::ListBounties(std::string_view GroupId, int Page, int PageSize, Done<BountyPage> OnDone)
{
	return Start(Paged(Address().Fixed("bounties"), GroupId, Page, PageSize), std::move(OnDone));
}

CallPtr Client::GetBounty(std::string_view BountyId, bool bIncludeProgress, std::string_view GroupId, int Page,
	int PageSize, Done<BountyDetail> OnDone)
{
	Address To = Address().Fixed("bounties").Value("bountyId", BountyId).QueryText("groupId", GroupId);
	To.QueryFlag("includeProgress", bIncludeProgress).QueryNumber("page", Page).QueryNumber("pageSize", PageSize);
	return Start(To, std::move(OnDone));
}

CallPtr Client::ListProgress(std::string_view MemberId, std::string_view GroupId, int Page, int PageSize,
	Done<MemberProgressPage> OnDone)
{
	const Address To = Address().Fixed("bounties/member/id").Value("memberId", MemberId);
	return Start(Paged(To, GroupId, Page, PageSize), std::move(OnDone));
}

CallPtr Client::ListReferralsOfPlayer(std::string_view PlayerId, bool bExcludeReferralList, std::string_view GroupId,
	int Page, int PageSize, Done<ReferralPage> OnDone)
{
	const Address To = Address().Fixed("referrals/player").Value("playerId", PlayerId);
	return Start(Supporters(To, bExcludeReferralList, GroupId, Page, PageSize), std::move(OnDone));
}

CallPtr Client::ListReferralsOfCode(std::string_view Code, bool bExcludeReferralList, std::string_view GroupId, int Page,
	int PageSize, Done<ReferralPage> OnDone)
{
	const Address To = Address().Fixed("referrals/code").Value("code", Code);
	return Start(Supporters(To, bExcludeReferralList, GroupId, Page, PageSize), std::move(OnDone));
}

CallPtr Client::GetReferralCode(std::string_view PlayerId, std::string_view GroupId, Done<std::string> OnDone)
{
	Address To = Address().Fixed("referrals/player").Value("playerId", PlayerId).Fixed("code");
	return Start(To.QueryText("groupId", GroupId), std::move(OnDone));
}
}
