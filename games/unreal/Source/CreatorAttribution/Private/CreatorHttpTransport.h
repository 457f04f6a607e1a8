// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "Core/Transport.h"

/** Transport that sends requests by the engine's HTTP module. */
class FCreatorHttpTransport : public CreatorAttribution::Transport
{
public:
	virtual std::unique_ptr<CreatorAttribution::PendingRequest> Send(const CreatorAttribution::HttpRequest& Request,
		std::function<void(CreatorAttribution::HttpResponse)> Done) override;
};
