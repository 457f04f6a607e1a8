#pragma once

#include "Core/CodeField.h"
#include "ScriptedTransport.h"
#include "SocketTransport.h"

#include <chrono>

namespace CreatorAttribution::Tests
{
/** Property of a command, or what to use if it is absent. */
std::string TextOf(const JsonValue& Command, std::string_view Name);
double NumberOf(const JsonValue& Command, std::string_view Name, double Otherwise);

/** Object of a command's answer. */
class Answer
{
public:
	Answer& Add(std::string_view Name, JsonValue Value);
	Answer& Add(std::string_view Name, const std::string& Text);
	Answer& Add(std::string_view Name, std::int64_t Number);

	JsonValue ToJson() const
	{
		return JsonValue::OfProperties(Properties);
	}

private:
	std::vector<JsonProperty> Properties;
};

/** Starts the call that a command names; null if there is none of the name. */
CallPtr StartCall(Client& Reader, const JsonValue& Command, std::function<void(JsonValue)> OnDone);

/** Client, transport and clock of one command. */
class Session : public Transport
{
public:
	explicit Session(const JsonValue& Command);

	/** Runs the command, or says what is wrong with its options. */
	JsonValue Run();

	std::unique_ptr<PendingRequest> Send(const HttpRequest& Request, std::function<void(HttpResponse)> Done) override;

private:
	JsonValue RunCall();
	JsonValue RunField();
	JsonValue Ended(Answer& Out) const;

	/** Moves the clock by 10 ms: the virtual one for scripted responses, or else the real one. */
	void Step();

	std::int64_t SinceStartMs() const;

	const JsonValue& Command;
	SocketTransport Sockets;
	std::unique_ptr<ScriptedTransport> Scripted;
	std::vector<JsonValue> Requests;
	std::chrono::steady_clock::time_point BeganAt = std::chrono::steady_clock::now();
	double NowMs;
	std::string Fault;
	std::unique_ptr<Client> Reader;
};
}
