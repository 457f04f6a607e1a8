#pragma once

#include "Core/Fields.h"
#include "Core/Result.h"
#include "Core/Transport.h"

namespace CreatorAttribution
{
/** Returns the error of a response that is a rejection or too large; nothing if its body can be read. */
std::optional<CallError> RejectionOf(const HttpResponse& Response);

CallError InvalidResponse(int Status, std::string Message);

inline std::optional<CallError> ReadBody(const HttpResponse& Response, std::string& Value)
{
	if (!IsUtf8(Response.Body))
		return InvalidResponse(Response.Status, "The response is not UTF-8.");
	Value = Response.Body;
	return std::nullopt;
}

template <class T>
std::optional<CallError> ReadBody(const HttpResponse& Response, T& Value)
{
	std::string Fault;
	const std::optional<JsonValue> Json = ReadJson(Response.Body, Fault);
	if (!Json)
		return InvalidResponse(Response.Status, Fault);
	FieldReader Fields(*Json);
	Value.Map(Fields);
	if (!Fields.Missing().empty())
		return InvalidResponse(Response.Status, "The response has no valid " + Fields.Missing() + ".");
	return std::nullopt;
}
}
