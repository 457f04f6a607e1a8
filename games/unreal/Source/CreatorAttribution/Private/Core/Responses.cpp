#include "Core/Responses.h"

#include "Core/RetryRules.h"

#include <chrono>

namespace CreatorAttribution
{
namespace
{
constexpr std::size_t MaxMessageLength = 200;

std::string TextOf(const JsonValue& Body, std::string_view Name)
{
	const JsonValue* Found = Body.Find(Name);
	return Found == nullptr ? "" : Found->AsText().value_or("");
}
}

CallError InvalidResponse(int Status, std::string Message)
{
	CallError Error;
	Error.Kind = ErrorKind::InvalidResponse;
	Error.Status = Status;
	Error.Message = std::move(Message);
	return Error;
}

std::optional<CallError> RejectionOf(const HttpResponse& Response)
{
	if (Response.bIsTooLarge)
		return InvalidResponse(0, "The response is too large.");
	if (Response.Status >= 200 && Response.Status <= 299)
		return std::nullopt;
	CallError Error;
	Error.Kind = ErrorKind::Rejected;
	Error.Status = Response.Status;
	std::string Fault;
	const std::optional<JsonValue> Body = ReadJson(Response.Body, Fault);
	if (Body)
	{
		Error.Code = TextOf(*Body, "code");
		Error.Message = TextOf(*Body, "message");
	}
	// Proxies also answer with pages of their own.
	else if (Response.Body.size() <= MaxMessageLength && IsUtf8(Response.Body))
		Error.Message = Response.Body;
	const auto Now = std::chrono::system_clock::now().time_since_epoch();
	Error.RetryAfterMs =
		ReadRetryAfter(Response.RetryAfter, std::chrono::duration_cast<std::chrono::milliseconds>(Now).count());
	return Error;
}
}
