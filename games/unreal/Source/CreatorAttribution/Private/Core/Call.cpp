#include "Core/Call.h"

#include "Core/RetryRules.h"

namespace CreatorAttribution
{
Call::Call(const CallLimits& InLimits, Transport& InSender, HttpRequest InRequest, int InMaxAttempts)
	: Limits(InLimits), Sender(InSender), Request(std::move(InRequest)), MaxAttempts(InMaxAttempts)
{
}

void Call::Cancel()
{
	bIsDone = true;
	EndRequest();
}

void Call::Update(double NowMs)
{
	if (bIsDone)
		return;
	if (StartedMs < 0)
		StartedMs = NextMs = NowMs;
	const double DeadlineMs = StartedMs + Limits.TotalTimeoutMs;
	CallError TimedOut;
	TimedOut.Kind = ErrorKind::TimedOut;
	TimedOut.Message = "No response arrived in time.";
	if (Failure)
		End(*Failure);
	else if (Response)
		Handle(NowMs, DeadlineMs);
	else if (bIsSent && (NowMs >= NextMs + Limits.TryTimeoutMs || NowMs >= DeadlineMs))
		Retry(TimedOut, NowMs, DeadlineMs);
	else if (!bIsSent && NowMs >= NextMs)
		Send(NowMs);
}

void Call::Send(double NowMs)
{
	bIsSent = true;
	NextMs = NowMs;
	const int Attempt = ++Tries;
	std::unique_ptr<PendingRequest> Sent =
		Sender.Send(Request, [Weak = weak_from_this(), Attempt](HttpResponse Received) {
			const std::shared_ptr<Call> Self = Weak.lock();
			// The response of an attempt that was given up is ignored.
			if (Self && Self->bIsSent && Attempt == Self->Tries)
				Self->Response = std::move(Received);
		});
	if (!Response)
		Pending = std::move(Sent);
}

void Call::Handle(double NowMs, double DeadlineMs)
{
	const HttpResponse Received = std::move(*Response);
	Pending.reset();
	if (Received.Failure)
	{
		CallError Error;
		Error.Kind = ErrorKind::ConnectionFailed;
		Error.Message = *Received.Failure;
		Retry(Error, NowMs, DeadlineMs);
		return;
	}
	// The call is done before its result is reported, so that canceling it there has no effect.
	bIsDone = true;
	std::optional<CallError> Error = Finish(Received);
	if (!Error)
		return;
	bIsDone = false;
	Retry(std::move(*Error), NowMs, DeadlineMs);
}

void Call::Retry(CallError Error, double NowMs, double DeadlineMs)
{
	EndRequest();
	const bool bIsRetried = Error.Kind != ErrorKind::InvalidResponse && Tries < MaxAttempts;
	const std::optional<double> DelayMs =
		bIsRetried ? DelayAfter(Tries, Error.Status, Error.RetryAfterMs, Limits.Random()) : std::nullopt;
	if (!DelayMs || NowMs + *DelayMs >= DeadlineMs)
		End(std::move(Error));
	else
		NextMs = NowMs + *DelayMs;
}

void Call::End(CallError Error)
{
	bIsDone = true;
	Error.Tries = Tries;
	OnError(std::move(Error));
}

void Call::EndRequest()
{
	bIsSent = false;
	Pending.reset();
	Response.reset();
}
}
