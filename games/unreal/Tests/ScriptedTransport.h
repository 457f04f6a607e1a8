#pragma once

#include "Core/Json.h"
#include "Core/Transport.h"

#include <deque>

namespace CreatorAttribution::Tests
{
/** Reads Base64, up to the first other character. */
std::string FromBase64(const std::string& Text);

/** Transport that answers from a list, at times of a virtual clock. Beyond the list, it never answers. */
class ScriptedTransport : public Transport
{
public:
	explicit ScriptedTransport(const std::vector<JsonValue>& Responses);

	std::unique_ptr<PendingRequest> Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done) override;

	void Poll();

	double NowMs = 0;
	int Canceled = 0;

private:
	struct Waiting
	{
		std::optional<JsonValue> Response;
		std::function<void(HttpResponse)> Done;
		double DueMs = 0;
		bool bIsOver = false;
	};
	class Pending;

	std::deque<JsonValue> Script;
	std::vector<std::shared_ptr<Waiting>> Sent;
};
}
