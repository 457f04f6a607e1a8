#pragma once

#include "Core/Call.h"
#include "Core/Progress.h"
#include "Core/Referrals.h"
#include "Core/RetryRules.h"

namespace CreatorAttribution
{
class Address;

template <class T>
using Done = std::function<void(const Result<T>&)>;

using CallPtr = std::shared_ptr<Call>;

/** Settings of a client. */
struct ClientOptions
{
	/** Address of the service, such as https://creators.example. */
	std::string BaseAddress;

	/** Key that begins with svc_pk_. */
	std::string PublicKey;

	CallLimits Limits;
};

/**
 * Reader of creators, bounties and referrals with a public key. Call Update regularly, such as in each frame: it sends
 * requests, ends those that take too long, and reports results. It uses no threads and no timers. An empty group stands for
 * the publisher's default group, and a page or page size of 0 for the service's default. All texts are UTF-8.
 */
class Client
{
public:
	/**
	 * Creates a client. The transport must outlive it.
	 * @param Fault says what is wrong with the options if there is no client
	 */
	static std::unique_ptr<Client> Create(ClientOptions Options, Transport& Sender, std::string& Fault);

	/** Cancels all calls. */
	~Client();

	Client(const Client&) = delete;
	Client& operator=(const Client&) = delete;

	/** Sends what is due, and reports what has ended. NowMs is of a clock that never goes back. */
	void Update(double NowMs);

	/** Lists a group's approved, visible members, in the order in which they joined. */
	CallPtr ListMembers(std::string_view GroupId, int Page, int PageSize, Done<MemberPage> OnDone);

	/** Returns the approved member with a code, in upper or lower case; else CodeNotInGroup. */
	CallPtr GetMember(std::string_view Code, std::string_view GroupId, Done<Member> OnDone, int MaxAttempts = MaxTries);

	/** Returns the approved member with an account id; else CodeNotInGroup. */
	CallPtr GetMemberById(std::string_view MemberId, std::string_view GroupId, Done<Member> OnDone);

	/** Returns the approved member with one of the publisher's player ids; else PlayerNotInGroup. */
	CallPtr GetMemberByPlayer(std::string_view PlayerId, std::string_view GroupId, Done<Member> OnDone);

	/** Lists a group's bounties, ordered by their start. */
	CallPtr ListBounties(std::string_view GroupId, int Page, int PageSize, Done<BountyPage> OnDone);

	/** Returns a bounty, and a page of its members' progress if it is wanted; else BountyNotFound. */
	CallPtr GetBounty(std::string_view BountyId, bool bIncludeProgress, std::string_view GroupId, int Page, int PageSize,
		Done<BountyDetail> OnDone);

	/** Lists a member's progress, with an entry for each bounty that the member has started. */
	CallPtr ListProgress(std::string_view MemberId, std::string_view GroupId, int Page, int PageSize,
		Done<MemberProgressPage> OnDone);

	/** Lists the supporters of the creator with a player id. With a public key, it doesn't say who they are. */
	CallPtr ListReferralsOfPlayer(std::string_view PlayerId, bool bExcludeReferralList, std::string_view GroupId, int Page,
		int PageSize, Done<ReferralPage> OnDone);

	/** Lists the supporters of a code's creator. With a public key, it doesn't say who they are. */
	CallPtr ListReferralsOfCode(std::string_view Code, bool bExcludeReferralList, std::string_view GroupId, int Page,
		int PageSize, Done<ReferralPage> OnDone);

	/** Returns the own code of the creator with a player id; else ReferralAccountNotFound. */
	CallPtr GetReferralCode(std::string_view PlayerId, std::string_view GroupId, Done<std::string> OnDone);

	const ClientOptions& Options() const
	{
		return Settings;
	}

private:
	Client(ClientOptions Options, Transport& Sender);

	template <class T>
	CallPtr Start(const Address& To, Done<T> OnDone, int MaxAttempts = MaxTries);

	ClientOptions Settings;
	Transport& Sender;
	std::vector<CallPtr> Calls;
	bool bIsUpdating = false;
};
}
