#include "Core/CodeField.h"

#include "Core/Address.h"

#include <algorithm>

namespace CreatorAttribution
{
namespace
{
constexpr double SilenceMs = 300;
constexpr double MemberMs = 5 * 60 * 1000;
constexpr double UnknownMs = 30 * 1000;
constexpr std::size_t MaxEntries = 100;
constexpr std::size_t MaxCodeLength = 255;

/** Returns a code in ASCII upper case. The service folds other letters as well, which costs a lookup here. */
std::string Folded(std::string Code)
{
	for (char& Each : Code)
		if (Each >= 'a' && Each <= 'z')
			Each = static_cast<char>(Each - 'a' + 'A');
	return Code;
}

/** Returns the number of characters of a UTF-8 text. */
std::size_t LengthOf(std::string_view Text)
{
	return static_cast<std::size_t>(
		std::count_if(Text.begin(), Text.end(), [](char Each) { return (static_cast<unsigned char>(Each) >> 6) != 2; }));
}
}

const CodeCache::Entry* CodeCache::Find(const std::string& Code, double NowMs) const
{
	const auto Place = Entries.find(Folded(Code));
	return Place != Entries.end() && NowMs < Place->second.EndMs ? &Place->second : nullptr;
}

void CodeCache::Set(const std::string& Code, double NowMs, const std::optional<Member>& Found)
{
	const std::string Key = Folded(Code);
	if (Entries.count(Key) == 0)
		Order.push_back(Key);
	Entries[Key] = Entry{Found, NowMs + (Found ? MemberMs : UnknownMs)};
	if (Order.size() <= MaxEntries)
		return;
	Entries.erase(Order.front());
	Order.pop_front();
}

CodeField::CodeField(Client& InReader, std::string InGroupId) : Reader(InReader), GroupId(std::move(InGroupId))
{
}

CodeField::~CodeField()
{
	if (Lookup)
		Lookup->Cancel();
}

void CodeField::SetText(std::string_view Typed)
{
	std::string Text(Trimmed(Typed));
	if (Text == TypedText && CurrentState != CodeState::Unavailable)
		return;
	TypedText = std::move(Text);
	Tries = 0;
	NextMs.reset();
	if (Lookup)
		Lookup->Cancel();
	Lookup.reset();
	bIsNew = !TypedText.empty();
	if (LengthOf(TypedText) > MaxCodeLength || TypedText == "." || TypedText == "..")
		End(CodeState::Unknown, std::nullopt, std::nullopt);
	else
		Change(bIsNew ? CodeState::Waiting : CodeState::Empty, std::nullopt, std::nullopt);
}

void CodeField::Update(double NowMs)
{
	LastMs = NowMs;
	const CodeCache::Entry* Cached = bIsNew ? Cache.Find(TypedText, NowMs) : nullptr;
	if (Cached != nullptr)
		End(Cached->Found ? CodeState::Found : CodeState::Unknown, Cached->Found, std::nullopt);
	if (bIsNew)
		NextMs = std::max(NowMs + SilenceMs, BlockedMs);
	bIsNew = false;
	if (!NextMs || NowMs < *NextMs)
		return;
	NextMs.reset();
	++Tries;
	const std::string Code = TypedText;
	Lookup = Reader.GetMember(Code, GroupId, [this, Code](const Result<Member>& Ended) { Handle(Code, Ended); }, 1);
	Change(CodeState::Checking, std::nullopt, std::nullopt);
}

void CodeField::Handle(const std::string& Code, const Result<Member>& Ended)
{
	Lookup.reset();
	if (Ended.IsOk() || Ended.Error->Code == "CodeNotInGroup" || Ended.Error->Kind == ErrorKind::InvalidInput)
	{
		Cache.Set(Code, LastMs, Ended.Value);
		End(Ended.IsOk() ? CodeState::Found : CodeState::Unknown, Ended.Value, std::nullopt);
		return;
	}
	const CallError& Error = *Ended.Error;
	const std::optional<double> DelayMs = Error.Kind == ErrorKind::InvalidResponse
		? std::nullopt
		: DelayAfter(Tries, Error.Status, Error.RetryAfterMs, Reader.Options().Limits.Random());
	if (Error.Status == 429)
		BlockedMs = LastMs + (Error.RetryAfterMs ? static_cast<double>(*Error.RetryAfterMs) : DelayMs.value_or(0));
	if (!DelayMs)
	{
		End(CodeState::Unavailable, std::nullopt, Error);
		return;
	}
	NextMs = LastMs + *DelayMs;
	Change(CodeState::Delayed, std::nullopt, Error);
}

void CodeField::End(CodeState State, std::optional<Member> Creator, std::optional<CallError> Error)
{
	bIsNew = false;
	NextMs.reset();
	Change(State, std::move(Creator), std::move(Error));
}

void CodeField::Change(CodeState State, std::optional<Member> Creator, std::optional<CallError> Error)
{
	const bool bIsSame = State == CurrentState && State != CodeState::Delayed && State != CodeState::Found;
	CurrentState = State;
	Found = std::move(Creator);
	LastError = std::move(Error);
	if (!bIsSame && OnChanged)
		OnChanged(*this);
}
}
