#include "Core/Json.h"

#include <unordered_map>
#include <utility>

namespace CreatorAttribution
{
namespace
{
/** Reads one document. After a fault, it reads no more. */
class JsonReader
{
public:
	explicit JsonReader(std::string_view InText) : Text(InText)
	{
	}

	std::optional<JsonValue> Read(std::string& Fault)
	{
		JsonValue Value;
		bool bIsRead = ReadValue(Value, 0);
		SkipSpace();
		bIsRead = bIsRead && Position == Text.size();
		if (!bIsRead)
			Fault = "The JSON is malformed at byte " + std::to_string(Position) + ".";
		return bIsRead ? std::optional<JsonValue>(std::move(Value)) : std::nullopt;
	}

private:
	bool ReadValue(JsonValue& Value, int Depth)
	{
		SkipSpace();
		if (Depth > MaxJsonDepth || Position >= Text.size())
			return false;
		switch (Text[Position])
		{
		case '{':
			return ReadObject(Value, Depth);
		case '[':
			return ReadArray(Value, Depth);
		case '"':
			Value.Kind = JsonKind::Text;
			return ReadText(Value.Raw);
		case 't':
			return ReadWord("true", Value, JsonKind::Boolean);
		case 'f':
			return ReadWord("false", Value, JsonKind::Boolean);
		case 'n':
			return ReadWord("null", Value, JsonKind::Null);
		default:
			return ReadNumber(Value);
		}
	}

	bool ReadObject(JsonValue& Value, int Depth)
	{
		Value = JsonValue::OfProperties({});
		std::unordered_map<std::string, std::size_t> Places;
		++Position;
		SkipSpace();
		if (Takes('}'))
			return true;
		do
		{
			SkipSpace();
			JsonProperty Property;
			if (Position >= Text.size() || Text[Position] != '"' || !ReadText(Property.Name))
				return false;
			SkipSpace();
			if (!Takes(':') || !ReadValue(Property.Value, Depth + 1))
				return false;
			const auto Added = Places.emplace(Property.Name, Value.Properties.size());
			if (Added.second)
				Value.Properties.push_back(std::move(Property));
			else
				Value.Properties[Added.first->second].Value = std::move(Property.Value);
			SkipSpace();
		} while (Takes(','));
		return Takes('}');
	}

	bool ReadArray(JsonValue& Value, int Depth)
	{
		Value = JsonValue::OfItems({});
		++Position;
		SkipSpace();
		if (Takes(']'))
			return true;
		do
		{
			Value.Items.emplace_back();
			if (!ReadValue(Value.Items.back(), Depth + 1))
				return false;
			SkipSpace();
		} while (Takes(','));
		return Takes(']');
	}

	bool ReadWord(std::string_view Word, JsonValue& Value, JsonKind Kind)
	{
		if (Text.substr(Position, Word.size()) != Word)
			return false;
		Position += Word.size();
		Value.Kind = Kind;
		Value.Raw = Word;
		return true;
	}

	bool ReadNumber(JsonValue& Value)
	{
		const std::size_t Start = Position;
		Takes('-');
		if (!Takes('0') && !SkipDigits())
			return false;
		if (Takes('.') && !SkipDigits())
			return false;
		if (Takes('e') || Takes('E'))
		{
			if (!Takes('+'))
				Takes('-');
			if (!SkipDigits())
				return false;
		}
		Value = JsonValue::OfNumber(std::string(Text.substr(Start, Position - Start)));
		return true;
	}

	bool ReadText(std::string& Out)
	{
		Out.clear();
		++Position;
		while (Position < Text.size())
		{
			const char Each = Text[Position++];
			if (Each == '"')
				return true;
			if (static_cast<unsigned char>(Each) < 0x20)
				return false;
			if (Each != '\\')
				Out += Each;
			else if (!ReadEscape(Out))
				return false;
		}
		return false;
	}

	bool ReadEscape(std::string& Out)
	{
		static constexpr std::string_view Names = "\"\\/bfnrt";
		static constexpr std::string_view Values = "\"\\/\b\f\n\r\t";
		if (Position >= Text.size())
			return false;
		const char Name = Text[Position++];
		const std::size_t Index = Names.find(Name);
		if (Index != std::string_view::npos)
		{
			Out += Values[Index];
			return true;
		}
		std::uint32_t Code = 0;
		if (Name != 'u' || !ReadUnit(Code))
			return false;
		if (Code >= 0xd800 && Code <= 0xdbff)
		{
			std::uint32_t Low = 0;
			if (!Takes('\\') || !Takes('u') || !ReadUnit(Low) || Low < 0xdc00 || Low > 0xdfff)
				return false;
			Code = 0x10000 + ((Code - 0xd800) << 10) + (Low - 0xdc00);
		}
		else if (Code >= 0xdc00 && Code <= 0xdfff)
			return false;
		AppendUtf8(Out, Code);
		return true;
	}

	/** Reads four hexadecimal digits. */
	bool ReadUnit(std::uint32_t& Code)
	{
		for (int Digit = 0; Digit < 4; ++Digit)
		{
			const char Each = Position < Text.size() ? Text[Position++] : '\0';
			const std::size_t Value = std::string_view("0123456789abcdef").find(Each >= 'A' && Each <= 'F' ? static_cast<char>(Each + 32) : Each);
			if (Value == std::string_view::npos)
				return false;
			Code = Code << 4 | static_cast<std::uint32_t>(Value);
		}
		return true;
	}

	static void AppendUtf8(std::string& Out, std::uint32_t Code)
	{
		const auto Append = [&Out](std::uint32_t Byte) { Out += static_cast<char>(Byte); };
		if (Code < 0x80)
			Append(Code);
		else if (Code < 0x800)
			Append(0xc0 | Code >> 6), Append(0x80 | (Code & 0x3f));
		else if (Code < 0x10000)
			Append(0xe0 | Code >> 12), Append(0x80 | (Code >> 6 & 0x3f)), Append(0x80 | (Code & 0x3f));
		else
			Append(0xf0 | Code >> 18), Append(0x80 | (Code >> 12 & 0x3f)), Append(0x80 | (Code >> 6 & 0x3f)),
				Append(0x80 | (Code & 0x3f));
	}

	void SkipSpace()
	{
		while (Position < Text.size() && std::string_view(" \t\n\r").find(Text[Position]) != std::string_view::npos)
			++Position;
	}

	bool SkipDigits()
	{
		const std::size_t Start = Position;
		while (Position < Text.size() && Text[Position] >= '0' && Text[Position] <= '9')
			++Position;
		return Position > Start;
	}

	bool Takes(char Character)
	{
		if (Position >= Text.size() || Text[Position] != Character)
			return false;
		++Position;
		return true;
	}

	std::string_view Text;
	std::size_t Position = 0;
};
}

std::optional<JsonValue> ReadJson(std::string_view Text, std::string& Fault)
{
	if (IsUtf8(Text))
		return JsonReader(Text).Read(Fault);
	Fault = "The response is not UTF-8.";
	return std::nullopt;
}
}
