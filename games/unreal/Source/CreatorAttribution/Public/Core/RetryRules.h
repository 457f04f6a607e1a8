#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace CreatorAttribution
{
/** Maximum number of times that a request is sent. */
constexpr int MaxTries = 4;

/**
 * Returns the pause before the next attempt in milliseconds, by the rules of the service's TypeScript client: what the
 * service asks for, or else 0.5 s, doubled after each attempt up to 8 s. Half a second of it is random, or half of it.
 * @param Status status of the response; 0 if there was none
 * @param Random number from 0 to 1
 * @return nothing if there must be no other attempt
 */
std::optional<double> DelayAfter(int Attempt, int Status, std::optional<std::int64_t> RetryAfterMs, double Random);

/**
 * Reads a Retry-After header: a number of seconds, or a date.
 * @param UtcNowMs time in milliseconds since 1970
 * @return milliseconds, at most a day; nothing if the header is absent or can't be read
 */
std::optional<std::int64_t> ReadRetryAfter(std::string_view Header, std::int64_t UtcNowMs);
}
