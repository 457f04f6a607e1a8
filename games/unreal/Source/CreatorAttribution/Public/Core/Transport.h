#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CreatorAttribution
{
/** GET request. */
struct HttpRequest
{
	std::string Url;
	std::vector<std::pair<std::string, std::string>> Headers;

	/** Size beyond which a response is too large. */
	std::size_t MaxBodyBytes = 0;
};

/** Response, or the reason why there is none. */
struct HttpResponse
{
	int Status = 0;
	std::string Body;

	/** Value of the Retry-After header. */
	std::string RetryAfter;

	/** Why the connection failed, or ended before the whole body arrived. */
	std::optional<std::string> Failure;

	/** True if the response is larger than the request allows. */
	bool bIsTooLarge = false;
};

/** Request that was sent. Destroying it ends the request, and its response is not reported. */
class PendingRequest
{
public:
	virtual ~PendingRequest() = default;
};

/**
 * Sender of requests. It doesn't follow redirects, so that the key doesn't reach another host, and needs no time limit,
 * because the client ends what takes too long.
 */
class Transport
{
public:
	virtual ~Transport() = default;

	/** Sends a request. Calls Done once, in the thread that calls Client::Update. */
	virtual std::unique_ptr<PendingRequest> Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done) = 0;
};
}
