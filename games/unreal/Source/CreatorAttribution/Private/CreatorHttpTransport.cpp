// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#include "CreatorHttpTransport.h"

#include "CreatorConversions.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"

namespace
{
using CreatorAttribution::HttpResponse;
using FRequest = TSharedRef<IHttpRequest, ESPMode::ThreadSafe>;

/** Request in the engine. Destroying it ends the request, and its response is not reported. */
class FCreatorPendingRequest : public CreatorAttribution::PendingRequest
{
public:
	explicit FCreatorPendingRequest(const FRequest& InRequest) : Request(InRequest)
	{
	}

	virtual ~FCreatorPendingRequest() override
	{
		Request->OnProcessRequestComplete().Unbind();
		Request->OnRequestProgress64().Unbind();
		Request->CancelRequest();
	}

private:
	FRequest Request;
};

HttpResponse ResponseOf(const FHttpResponsePtr& Received, bool bIsConnected, bool bIsTooLarge)
{
	HttpResponse Response;
	if (bIsTooLarge)
	{
		Response.bIsTooLarge = true;
		return Response;
	}
	if (!bIsConnected || !Received.IsValid())
	{
		Response.Failure = "The connection failed.";
		return Response;
	}
	const TArray<uint8>& Content = Received->GetContent();
	Response.Status = Received->GetResponseCode();
	Response.Body.assign(reinterpret_cast<const char*>(Content.GetData()), static_cast<std::size_t>(Content.Num()));
	Response.RetryAfter = CreatorConversions::ToCore(Received->GetHeader(TEXT("Retry-After")));
	return Response;
}
}

std::unique_ptr<CreatorAttribution::PendingRequest> FCreatorHttpTransport::Send(
	const CreatorAttribution::HttpRequest& Request, std::function<void(HttpResponse)> Done)
{
	const FRequest Sent = FHttpModule::Get().CreateRequest();
	Sent->SetVerb(TEXT("GET"));
	Sent->SetURL(CreatorConversions::ToEngine(Request.Url));
	for (const auto& [Name, Value] : Request.Headers)
		Sent->SetHeader(CreatorConversions::ToEngine(Name), CreatorConversions::ToEngine(Value));
	const auto bIsTooLarge = std::make_shared<bool>(false);
	Sent->OnRequestProgress64().BindLambda(
		[bIsTooLarge, MaxBytes = Request.MaxBodyBytes](FHttpRequestPtr Running, uint64, uint64 Received) {
			if (Received <= MaxBytes || *bIsTooLarge)
				return;
			*bIsTooLarge = true;
			Running->CancelRequest();
		});
	Sent->OnProcessRequestComplete().BindLambda(
		[bIsTooLarge, Done = std::move(Done)](FHttpRequestPtr, FHttpResponsePtr Received, bool bIsConnected) {
			Done(ResponseOf(Received, bIsConnected, *bIsTooLarge));
		});
	Sent->ProcessRequest();
	return std::make_unique<FCreatorPendingRequest>(Sent);
}
