#include "Session.h"

#include <iostream>

// Reads commands from standard input, one JSON object a line, and answers each with a line of JSON. The tests of the service
// (packages/server/test/games) write the commands and compare the answers.

namespace CreatorAttribution::Tests
{
namespace
{
JsonValue RunJson(const JsonValue& Command)
{
	std::string Fault;
	const std::optional<JsonValue> Value = ReadJson(TextOf(Command, "text"), Fault);
	return Value ? Answer().Add("written", Value->ToString()).ToJson() : Answer().Add("thrown", Fault).ToJson();
}

JsonValue RunDelay(const JsonValue& Command)
{
	const auto NowMs = static_cast<std::int64_t>(NumberOf(Command, "nowMs", 0));
	const std::optional<std::int64_t> Asked = ReadRetryAfter(TextOf(Command, "retryAfter"), NowMs);
	const std::optional<double> Delay = DelayAfter(static_cast<int>(NumberOf(Command, "attempt", 1)),
		static_cast<int>(NumberOf(Command, "status", 0)), Asked, NumberOf(Command, "random", 0));
	return Delay ? Answer().Add("delayMs", static_cast<std::int64_t>(*Delay)).ToJson() : Answer().ToJson();
}

JsonValue Run(const std::string& Line)
{
	std::string Fault;
	const std::optional<JsonValue> Command = ReadJson(Line, Fault);
	if (!Command)
		return Answer().Add("thrown", Fault).ToJson();
	const std::string Do = TextOf(*Command, "do");
	if (Do == "json")
		return RunJson(*Command);
	return Do == "delay" ? RunDelay(*Command) : Session(*Command).Run();
}
}
}

int main()
{
	std::string Line;
	while (std::getline(std::cin, Line))
		std::cout << CreatorAttribution::Tests::Run(Line).ToString() << std::endl;
}
