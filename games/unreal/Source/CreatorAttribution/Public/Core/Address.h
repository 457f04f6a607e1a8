#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CreatorAttribution
{
/** Builder of a request's address. */
class Address
{
public:
	/** Returns an address without slashes at its end, and without the version; nothing if it is not http or https. */
	static std::optional<std::string> Normalize(std::string_view BaseAddress);

	/** Adds words of the operation's own path. */
	Address& Fixed(std::string_view Words);

	/** Adds a value to the path. URLs resolve "." and "..", even if they are escaped. */
	Address& Value(std::string_view Name, std::string_view Text);

	/** Adds a query parameter, unless it is empty. */
	Address& QueryText(std::string_view Name, std::string_view Text);

	/** Adds a number, unless it is 0, which stands for the service's default. */
	Address& QueryNumber(std::string_view Name, int Number);

	/** Adds a Boolean, unless it is false, which is the service's default. */
	Address& QueryFlag(std::string_view Name, bool bFlag);

	std::string On(std::string_view BaseAddress) const;

	/** What is wrong with a value; empty if nothing is. */
	const std::string& Fault() const
	{
		return FaultText;
	}

private:
	void BeginParameter(std::string_view Name);
	void Append(std::string& Out, std::string_view Name, std::string_view Text);

	std::string Path = "/v1";
	std::string Query;
	std::string FaultText;
};

/** Returns a text without spaces, tabs and line breaks at its ends. */
std::string_view Trimmed(std::string_view Text);

bool IsLetterOrDigit(char Character);
}
