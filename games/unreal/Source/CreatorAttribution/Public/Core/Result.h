#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CreatorAttribution
{
enum class ErrorKind
{
	/** The service rejected the request: see the status and the code. */
	Rejected,
	/** The connection failed. */
	ConnectionFailed,
	/** No response arrived in time. */
	TimedOut,
	/** The response is not one of this service: too large, not UTF-8, not JSON, or incomplete. */
	InvalidResponse,
	/** The request was not sent, because no URL can contain its text. */
	InvalidInput,
};

/** Why a call failed. */
struct CallError
{
	ErrorKind Kind = ErrorKind::ConnectionFailed;

	/** Status of the response; 0 if there was none. */
	int Status = 0;

	/** Code of the service, such as CodeNotInGroup; empty if the response has none. */
	std::string Code;

	/** Explanation for developers. It may change: branch on the kind and the code. */
	std::string Message;

	/** How long the service asks to wait. */
	std::optional<std::int64_t> RetryAfterMs;

	/** Number of times that the request was sent. */
	int Tries = 0;
};

/** Result of a call: a value, or an error. */
template <class T>
struct Result
{
	std::optional<T> Value;
	std::optional<CallError> Error;

	bool IsOk() const
	{
		return Value.has_value();
	}
};
}
