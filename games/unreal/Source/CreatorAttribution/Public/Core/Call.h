#pragma once

#include "Core/Result.h"
#include "Core/Transport.h"

namespace CreatorAttribution
{
/** Time limits, sizes and pauses of calls. */
struct CallLimits
{
	/** Time limit of one attempt. */
	double TryTimeoutMs = 10000;

	/** Time limit of all attempts of a call, with the pauses between them. */
	double TotalTimeoutMs = 60000;

	/** Maximum size of a response. The transport stops reading beyond it. */
	std::size_t MaxBodyBytes = 8 * 1024 * 1024;

	/** Source of numbers from 0 to 1 for the lengths of pauses. */
	std::function<double()> Random;
};

/** Call that was started. It ends with its result, or without one if it is canceled. */
class Call : public std::enable_shared_from_this<Call>
{
public:
	/** Handles a response. Returns an error instead if the call failed. */
	using Reader = std::function<std::optional<CallError>(const HttpResponse&)>;

	Call(const CallLimits& Limits, Transport& Sender, HttpRequest Request, int MaxAttempts);

	/** True after the call has its result, or was canceled. */
	bool IsDone() const
	{
		return bIsDone;
	}

	/** Cancels the call, whose result is then never reported. */
	void Cancel();

private:
	friend class Client;

	void Update(double NowMs);
	void Send(double NowMs);
	void Handle(double NowMs, double DeadlineMs);
	void Retry(CallError Error, double NowMs, double DeadlineMs);
	void End(CallError Error);
	void EndRequest();

	const CallLimits& Limits;
	Transport& Sender;
	HttpRequest Request;
	int MaxAttempts;
	Reader Finish;
	std::function<void(CallError)> OnError;
	std::unique_ptr<PendingRequest> Pending;
	std::optional<HttpResponse> Response;
	std::optional<CallError> Failure;
	bool bIsDone = false;
	bool bIsSent = false;
	int Tries = 0;
	double StartedMs = -1;
	double NextMs = 0;
};
}
