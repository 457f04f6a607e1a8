#include "Core/Address.h"

#include "Core/Json.h"

namespace CreatorAttribution
{
bool IsLetterOrDigit(char Character)
{
	return (Character >= 'a' && Character <= 'z') || (Character >= 'A' && Character <= 'Z')
		|| (Character >= '0' && Character <= '9');
}

std::string_view Trimmed(std::string_view Text)
{
	const std::size_t Start = Text.find_first_not_of(" \t\r\n");
	if (Start == std::string_view::npos)
		return {};
	return Text.substr(Start, Text.find_last_not_of(" \t\r\n") - Start + 1);
}

std::optional<std::string> Address::Normalize(std::string_view BaseAddress)
{
	std::string_view Text = Trimmed(BaseAddress);
	const auto WithoutSlashes = [](std::string_view Each) {
		while (!Each.empty() && Each.back() == '/')
			Each.remove_suffix(1);
		return Each;
	};
	const std::size_t Host = Text.substr(0, 8) == "https://" ? 8 : Text.substr(0, 7) == "http://" ? 7 : 0;
	if (Host == 0 || Host >= Text.size() || !(IsLetterOrDigit(Text[Host]) || Text[Host] == '['))
		return std::nullopt;
	for (const char Each : Text)
		if (static_cast<unsigned char>(Each) <= 0x20 || Each == '?' || Each == '#' || Each == '@' || Each == '\x7f')
			return std::nullopt;
	Text = WithoutSlashes(Text);
	if (Text.size() > 3 && Text.substr(Text.size() - 3) == "/v1")
		Text = WithoutSlashes(Text.substr(0, Text.size() - 3));
	return std::string(Text);
}

Address& Address::Fixed(std::string_view Words)
{
	Path += '/';
	Path += Words;
	return *this;
}

Address& Address::Value(std::string_view Name, std::string_view Text)
{
	if (Text.empty() || Text == "." || Text == "..")
		FaultText = std::string(Name) + " must be text other than \"\", \".\" and \"..\".";
	Path += '/';
	Append(Path, Name, Text);
	return *this;
}

Address& Address::QueryText(std::string_view Name, std::string_view Text)
{
	if (Text.empty())
		return *this;
	BeginParameter(Name);
	Append(Query, Name, Text);
	return *this;
}

Address& Address::QueryNumber(std::string_view Name, int Number)
{
	if (Number == 0)
		return *this;
	BeginParameter(Name);
	Query += std::to_string(Number);
	return *this;
}

Address& Address::QueryFlag(std::string_view Name, bool bFlag)
{
	if (!bFlag)
		return *this;
	BeginParameter(Name);
	Query += "true";
	return *this;
}

std::string Address::On(std::string_view BaseAddress) const
{
	return std::string(BaseAddress) + Path + Query;
}

void Address::BeginParameter(std::string_view Name)
{
	Query += Query.empty() ? '?' : '&';
	Query += Name;
	Query += '=';
}

void Address::Append(std::string& Out, std::string_view Name, std::string_view Text)
{
	static const char Hex[] = "0123456789ABCDEF";
	if (Text.find('\0') != std::string_view::npos || !IsUtf8(Text))
		FaultText = std::string(Name) + " must be well-formed UTF-8 without U+0000.";
	for (const char Each : Text)
	{
		const auto Byte = static_cast<unsigned char>(Each);
		if (IsLetterOrDigit(Each) || Each == '-' || Each == '_' || Each == '.' || Each == '~')
			Out += Each;
		else
			Out += '%', Out += Hex[Byte >> 4], Out += Hex[Byte & 15];
	}
}
}
