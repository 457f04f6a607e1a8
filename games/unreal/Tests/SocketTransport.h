#pragma once

#include "Core/Transport.h"

namespace CreatorAttribution::Tests
{
/** Transport over non-blocking POSIX sockets, for tests outside an engine. Poll moves requests on. */
class SocketTransport : public Transport
{
public:
	std::unique_ptr<PendingRequest> Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done) override;

	void Poll();

private:
	class Exchange;
	class Pending;

	std::vector<std::shared_ptr<Exchange>> Exchanges;
};
}
