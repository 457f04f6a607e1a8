#include "Session.h"

#include <deque>
#include <thread>

namespace CreatorAttribution::Tests
{
namespace
{
constexpr double StartMs = 1000000;

const char* NameOf(CodeState State)
{
	static const char* const Names[] = {"Empty", "Waiting", "Checking", "Found", "Unknown", "Delayed", "Unavailable"};
	return Names[static_cast<int>(State)];
}
}

std::string TextOf(const JsonValue& Command, std::string_view Name)
{
	const JsonValue* Found = Command.Find(Name);
	return Found == nullptr ? "" : Found->AsText().value_or("");
}

double NumberOf(const JsonValue& Command, std::string_view Name, double Otherwise)
{
	const JsonValue* Found = Command.Find(Name);
	return Found == nullptr ? Otherwise : Found->AsNumber().value_or(Otherwise);
}

Answer& Answer::Add(std::string_view Name, JsonValue Value)
{
	Properties.push_back({std::string(Name), std::move(Value)});
	return *this;
}

Answer& Answer::Add(std::string_view Name, const std::string& Text)
{
	return Add(Name, JsonValue::OfText(Text));
}

Answer& Answer::Add(std::string_view Name, std::int64_t Number)
{
	return Add(Name, JsonValue::OfInteger(Number));
}

Session::Session(const JsonValue& InCommand) : Command(InCommand), NowMs(StartMs)
{
	if (const JsonValue* Responses = Command.Find("responses"))
		Scripted = std::make_unique<ScriptedTransport>(Responses->Items);
	ClientOptions Options;
	Options.BaseAddress = TextOf(Command, "baseUrl");
	Options.PublicKey = TextOf(Command, "key");
	CallLimits& Limits = Options.Limits;
	Limits.Random = [Random = NumberOf(Command, "random", 0)] { return Random; };
	Limits.TryTimeoutMs = NumberOf(Command, "tryTimeoutMs", Limits.TryTimeoutMs);
	Limits.TotalTimeoutMs = NumberOf(Command, "totalTimeoutMs", Limits.TotalTimeoutMs);
	Limits.MaxBodyBytes = static_cast<std::size_t>(NumberOf(Command, "maxBodyBytes", static_cast<double>(Limits.MaxBodyBytes)));
	Reader = Client::Create(std::move(Options), *this, Fault);
}

JsonValue Session::Run()
{
	const std::string Do = TextOf(Command, "do");
	if (!Reader)
		return Answer().Add("thrown", Fault).ToJson();
	if (Do == "options")
		return Answer().Add("baseAddress", Reader->Options().BaseAddress).ToJson();
	return Do == "call" ? RunCall() : RunField();
}

std::unique_ptr<PendingRequest> Session::Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done)
{
	std::string Key;
	for (const auto& [Name, Value] : Request.Headers)
		if (Name == "X-SHARED-SECRET")
			Key = Value;
	Requests.push_back(Answer().Add("at", SinceStartMs()).Add("url", Request.Url).Add("key", Key).ToJson());
	Transport& To = Scripted ? static_cast<Transport&>(*Scripted) : Sockets;
	return To.Send(Request, std::move(Done));
}

JsonValue Session::RunCall()
{
	Answer Out;
	const CallPtr Started = StartCall(*Reader, Command, [&Out](JsonValue Result) { Out.Add("result", std::move(Result)); });
	if (!Started)
		return Answer().Add("thrown", std::string("unknown call")).ToJson();
	while (!Started->IsDone())
	{
		Step();
		Reader->Update(NowMs);
		if (NowMs > StartMs + NumberOf(Command, "cancelAtMs", 1e12))
			Started->Cancel();
	}
	return Ended(Out);
}

JsonValue Session::RunField()
{
	std::vector<JsonValue> Changes;
	CodeField Field(*Reader, TextOf(Command, "groupId"));
	Field.OnChanged = [&](const CodeField& Changed) {
		Answer Change;
		Change.Add("at", SinceStartMs()).Add("text", Changed.Text()).Add("state", std::string(NameOf(Changed.State())));
		if (Changed.Creator())
			Change.Add("member", Changed.Creator()->Id);
		if (Changed.Error())
			Change.Add("code", Changed.Error()->Code).Add("status", std::int64_t(Changed.Error()->Status));
		Changes.push_back(Change.ToJson());
	};
	const std::vector<JsonValue>& Listed = Command.Find("steps")->Items;
	std::deque<JsonValue> Steps(Listed.begin(), Listed.end());
	while (NowMs - StartMs <= NumberOf(Command, "endMs", 0))
	{
		Step();
		while (!Steps.empty() && NowMs - StartMs >= NumberOf(Steps.front(), "at", 0))
		{
			Field.SetText(TextOf(Steps.front(), "text"));
			Steps.pop_front();
		}
		Reader->Update(NowMs);
		Field.Update(NowMs);
	}
	Answer Out;
	Out.Add("changes", JsonValue::OfItems(Changes));
	return Ended(Out);
}

JsonValue Session::Ended(Answer& Out) const
{
	Out.Add("requests", JsonValue::OfItems(Requests)).Add("elapsedMs", SinceStartMs());
	if (Scripted)
		Out.Add("canceled", std::int64_t(Scripted->Canceled));
	return Out.ToJson();
}

void Session::Step()
{
	if (Scripted)
	{
		NowMs += 10;
		Scripted->NowMs = NowMs;
		Scripted->Poll();
		return;
	}
	std::this_thread::sleep_for(std::chrono::milliseconds(2));
	const auto Elapsed = std::chrono::steady_clock::now() - BeganAt;
	NowMs = StartMs + static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(Elapsed).count());
	Sockets.Poll();
}

std::int64_t Session::SinceStartMs() const
{
	return static_cast<std::int64_t>(NowMs - StartMs);
}
}
