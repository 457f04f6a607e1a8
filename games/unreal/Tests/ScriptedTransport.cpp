#include "ScriptedTransport.h"

namespace CreatorAttribution::Tests
{
std::string FromBase64(const std::string& Text)
{
	static constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	std::string Out;
	unsigned Bits = 0;
	int Count = 0;
	for (const char Each : Text)
	{
		const std::size_t Digit = Digits.find(Each);
		if (Digit == std::string_view::npos)
			break;
		Bits = Bits << 6 | static_cast<unsigned>(Digit);
		Count += 6;
		if (Count < 8)
			continue;
		Count -= 8;
		Out += static_cast<char>(Bits >> Count & 0xff);
	}
	return Out;
}

namespace
{
HttpResponse ResponseOf(const JsonValue& Scripted)
{
	HttpResponse Response;
	if (const JsonValue* Failure = Scripted.Find("failure"))
		Response.Failure = Failure->AsText();
	if (const JsonValue* Status = Scripted.Find("status"))
		Response.Status = static_cast<int>(*Status->AsInteger());
	else
		Response.Status = 200;
	if (const JsonValue* Base64 = Scripted.Find("body64"))
		Response.Body = FromBase64(*Base64->AsText());
	else if (const JsonValue* Body = Scripted.Find("body"))
		Response.Body = *Body->AsText();
	if (const JsonValue* RetryAfter = Scripted.Find("retryAfter"))
		Response.RetryAfter = *RetryAfter->AsText();
	return Response;
}
}

class ScriptedTransport::Pending : public PendingRequest
{
public:
	Pending(ScriptedTransport& InOwner, std::shared_ptr<Waiting> InRequest) : Owner(InOwner), Request(std::move(InRequest))
	{
	}

	~Pending() override
	{
		if (Request->bIsOver)
			return;
		++Owner.Canceled;
		// Some responses are on their way already.
		Request->bIsOver = !Request->Response || Request->Response->Find("arrivesAnyway") == nullptr;
	}

private:
	ScriptedTransport& Owner;
	std::shared_ptr<Waiting> Request;
};

ScriptedTransport::ScriptedTransport(const std::vector<JsonValue>& Responses) : Script(Responses.begin(), Responses.end())
{
}

std::unique_ptr<PendingRequest> ScriptedTransport::Send(const HttpRequest&, std::function<void(HttpResponse)> Done)
{
	const auto Request = std::make_shared<Waiting>();
	Request->Done = std::move(Done);
	if (!Script.empty())
	{
		Request->Response = Script.front();
		Script.pop_front();
		const JsonValue* AfterMs = Request->Response->Find("afterMs");
		Request->DueMs = NowMs + (AfterMs == nullptr ? 0 : *AfterMs->AsNumber());
	}
	Sent.push_back(Request);
	return std::make_unique<Pending>(*this, Request);
}

void ScriptedTransport::Poll()
{
	for (const std::shared_ptr<Waiting>& Each : std::vector<std::shared_ptr<Waiting>>(Sent))
		if (!Each->bIsOver && Each->Response && NowMs >= Each->DueMs)
		{
			Each->bIsOver = true;
			Each->Done(ResponseOf(*Each->Response));
		}
}
}
