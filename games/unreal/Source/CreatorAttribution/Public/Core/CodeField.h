#pragma once

#include "Core/Client.h"

#include <deque>
#include <unordered_map>

namespace CreatorAttribution
{
enum class CodeState
{
	/** The field is empty. */
	Empty,
	/** The player is typing. */
	Waiting,
	/** The code is being looked up. */
	Checking,
	/** The code is of a creator: see Member. */
	Found,
	/** The code is of no creator in the group. */
	Unknown,
	/** The lookup failed, and is repeated after a pause: see Error. */
	Delayed,
	/** The lookup failed for good: see Error. Setting the text again repeats it. */
	Unavailable,
};

/**
 * Cache of lookups. Members count for five minutes. A code without a member counts for half a minute only, because a new
 * code works at once.
 */
class CodeCache
{
public:
	struct Entry
	{
		/** Nothing if the code has no member. */
		std::optional<Member> Found;
		double EndMs = 0;
	};

	/** Returns a result that still counts, or null. */
	const Entry* Find(const std::string& Code, double NowMs) const;

	void Set(const std::string& Code, double NowMs, const std::optional<Member>& Found);

private:
	std::unordered_map<std::string, Entry> Entries;
	std::deque<std::string> Order;
};

/**
 * Field in which a player enters a creator's code. It looks the code up once the player hasn't typed for 300 ms, cancels the
 * lookup before, waits as long as the service asks, and caches results. Call Update after the client's, in each frame.
 */
class CodeField
{
public:
	/**
	 * Creates a field. The client must outlive it.
	 * @param GroupId group of the creators; empty for the publisher's default group
	 */
	CodeField(Client& Reader, std::string GroupId);

	~CodeField();

	CodeField(const CodeField&) = delete;
	CodeField& operator=(const CodeField&) = delete;

	/** Called after each change of the state. */
	std::function<void(const CodeField&)> OnChanged;

	/** Sets the text as the player has typed it so far. */
	void SetText(std::string_view Typed);

	/** Starts the lookup when it is due. */
	void Update(double NowMs);

	/** Returns the text without spaces at its ends. */
	const std::string& Text() const
	{
		return TypedText;
	}

	CodeState State() const
	{
		return CurrentState;
	}

	/** Returns the creator of the code; nothing unless the state is Found. */
	const std::optional<Member>& Creator() const
	{
		return Found;
	}

	/** Returns why the lookup failed; nothing unless the state is Delayed or Unavailable. */
	const std::optional<CallError>& Error() const
	{
		return LastError;
	}

private:
	void Handle(const std::string& Code, const Result<Member>& Ended);
	void End(CodeState State, std::optional<Member> Creator, std::optional<CallError> Error);
	void Change(CodeState State, std::optional<Member> Creator, std::optional<CallError> Error);

	Client& Reader;
	std::string GroupId;
	CodeCache Cache;
	CallPtr Lookup;
	std::string TypedText;
	CodeState CurrentState = CodeState::Empty;
	std::optional<Member> Found;
	std::optional<CallError> LastError;
	bool bIsNew = false;
	int Tries = 0;
	double LastMs = 0;
	std::optional<double> NextMs;
	double BlockedMs = 0;
};
}
