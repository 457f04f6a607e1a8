#include "Core/RetryRules.h"

#include <algorithm>

namespace CreatorAttribution
{
namespace
{
constexpr double FirstDelayMs = 500;
constexpr double MaxDelayMs = 8000;
constexpr std::int64_t MaxRetryAfterMs = 24LL * 60 * 60 * 1000;

bool IsTemporary(int Status)
{
	return Status == 0 || Status == 408 || Status == 429 || Status == 502 || Status == 503 || Status == 504;
}

/** Reads digits at a place of a text. @return -1 if there are others */
std::int64_t DigitsAt(std::string_view Text, std::size_t Place, std::size_t Length)
{
	std::int64_t Number = 0;
	for (const char Each : Text.substr(Place, Length))
	{
		if (Each < '0' || Each > '9')
			return -1;
		Number = Number * 10 + (Each - '0');
	}
	return Number;
}

/** Returns the number of days from 1970 to a date of the Gregorian calendar. */
std::int64_t DaysFrom1970(std::int64_t Year, std::int64_t Month, std::int64_t Day)
{
	// The year begins in March, so that the leap day is its last.
	const std::int64_t FromMarch = Month > 2 ? Month - 3 : Month + 9;
	const std::int64_t Years = Month > 2 ? Year : Year - 1;
	return Years * 365 + Years / 4 - Years / 100 + Years / 400 + (FromMarch * 153 + 2) / 5 + Day - 1 - 719468;
}

/** Reads a date such as "Thu, 01 Jan 2026 00:00:05 GMT". */
std::optional<std::int64_t> ReadDate(std::string_view Text)
{
	static constexpr std::string_view Months = "JanFebMarAprMayJunJulAugSepOctNovDec";
	if (Text.size() != 29 || Text.substr(25) != " GMT")
		return std::nullopt;
	const std::size_t Month = Months.find(Text.substr(8, 3));
	const std::int64_t Day = DigitsAt(Text, 5, 2);
	const std::int64_t Year = DigitsAt(Text, 12, 4);
	const std::int64_t Hour = DigitsAt(Text, 17, 2);
	const std::int64_t Minute = DigitsAt(Text, 20, 2);
	const std::int64_t Second = DigitsAt(Text, 23, 2);
	if (Month == std::string_view::npos || Month % 3 != 0 || std::min({Day, Year, Hour, Minute, Second}) < 0)
		return std::nullopt;
	const std::int64_t Days = DaysFrom1970(Year, static_cast<std::int64_t>(Month) / 3 + 1, Day);
	return (((Days * 24 + Hour) * 60 + Minute) * 60 + Second) * 1000;
}
}

std::optional<double> DelayAfter(int Attempt, int Status, std::optional<std::int64_t> RetryAfterMs, double Random)
{
	if (Attempt >= MaxTries || !IsTemporary(Status))
		return std::nullopt;
	if (RetryAfterMs)
		return static_cast<double>(*RetryAfterMs) + Random * FirstDelayMs;
	return std::min(FirstDelayMs * static_cast<double>(1 << (Attempt - 1)), MaxDelayMs) * (1 - Random / 2);
}

std::optional<std::int64_t> ReadRetryAfter(std::string_view Header, std::int64_t UtcNowMs)
{
	if (Header.empty())
		return std::nullopt;
	if (Header.find_first_not_of("0123456789") == std::string_view::npos)
		return Header.size() > 5 ? MaxRetryAfterMs : std::min(DigitsAt(Header, 0, 5) * 1000, MaxRetryAfterMs);
	const std::optional<std::int64_t> Date = ReadDate(Header);
	if (!Date)
		return std::nullopt;
	return std::clamp<std::int64_t>(*Date - UtcNowMs, 0, MaxRetryAfterMs);
}
}
