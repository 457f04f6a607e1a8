#include "Core/Json.h"

#include <charconv>
#include <locale>
#include <sstream>
#include <utility>

namespace CreatorAttribution
{
namespace
{
JsonValue ValueOf(JsonKind Kind, std::string Raw)
{
	JsonValue Value;
	Value.Kind = Kind;
	Value.Raw = std::move(Raw);
	return Value;
}

void AppendText(std::string& Out, const std::string& Text)
{
	static const char Hex[] = "0123456789abcdef";
	Out += '"';
	for (const char Each : Text)
	{
		const auto Byte = static_cast<unsigned char>(Each);
		if (Each == '"' || Each == '\\')
			Out += '\\', Out += Each;
		else if (Byte < 0x20)
			Out += "\\u00", Out += Hex[Byte >> 4], Out += Hex[Byte & 15];
		else
			Out += Each;
	}
	Out += '"';
}

void AppendValue(std::string& Out, const JsonValue& Value)
{
	const char* Separator = "";
	switch (Value.Kind)
	{
	case JsonKind::Text:
		AppendText(Out, Value.Raw);
		break;
	case JsonKind::Array:
		Out += '[';
		for (const JsonValue& Item : Value.Items)
		{
			Out += Separator;
			Separator = ",";
			AppendValue(Out, Item);
		}
		Out += ']';
		break;
	case JsonKind::Object:
		Out += '{';
		for (const JsonProperty& Property : Value.Properties)
		{
			Out += Separator;
			Separator = ",";
			AppendText(Out, Property.Name);
			Out += ':';
			AppendValue(Out, Property.Value);
		}
		Out += '}';
		break;
	default:
		Out += Value.Raw;
		break;
	}
}
}

JsonValue JsonValue::OfText(std::string Text)
{
	return ValueOf(JsonKind::Text, std::move(Text));
}

JsonValue JsonValue::OfBoolean(bool Value)
{
	return ValueOf(JsonKind::Boolean, Value ? "true" : "false");
}

JsonValue JsonValue::OfInteger(std::int64_t Value)
{
	return OfNumber(std::to_string(Value));
}

JsonValue JsonValue::OfNumber(std::string Digits)
{
	return ValueOf(JsonKind::Number, std::move(Digits));
}

JsonValue JsonValue::OfItems(std::vector<JsonValue> Items)
{
	JsonValue Value = ValueOf(JsonKind::Array, "");
	Value.Items = std::move(Items);
	return Value;
}

JsonValue JsonValue::OfProperties(std::vector<JsonProperty> Properties)
{
	JsonValue Value = ValueOf(JsonKind::Object, "");
	Value.Properties = std::move(Properties);
	return Value;
}

std::optional<std::string> JsonValue::AsText() const
{
	return Kind == JsonKind::Text ? std::optional<std::string>(Raw) : std::nullopt;
}

std::optional<bool> JsonValue::AsBoolean() const
{
	return Kind == JsonKind::Boolean ? std::optional<bool>(Raw == "true") : std::nullopt;
}

std::optional<std::int64_t> JsonValue::AsInteger() const
{
	std::int64_t Value = 0;
	const char* End = Raw.data() + Raw.size();
	const auto Read = std::from_chars(Raw.data(), End, Value);
	const bool bIsInteger = Kind == JsonKind::Number && Read.ec == std::errc() && Read.ptr == End;
	return bIsInteger ? std::optional<std::int64_t>(Value) : std::nullopt;
}

std::optional<double> JsonValue::AsNumber() const
{
	if (Kind != JsonKind::Number)
		return std::nullopt;
	// Not every engine's library has from_chars for doubles, and strtod depends on the user's language.
	std::istringstream Stream(Raw);
	Stream.imbue(std::locale::classic());
	double Value = 0;
	Stream >> Value;
	return Stream.fail() ? std::nullopt : std::optional<double>(Value);
}

const JsonValue* JsonValue::Find(std::string_view Name) const
{
	for (const JsonProperty& Property : Properties)
		if (Property.Name == Name)
			return Property.Value.Kind == JsonKind::Null ? nullptr : &Property.Value;
	return nullptr;
}

std::string JsonValue::ToString() const
{
	std::string Out;
	AppendValue(Out, *this);
	return Out;
}

bool IsUtf8(std::string_view Text)
{
	for (std::size_t At = 0; At < Text.size();)
	{
		const auto First = static_cast<unsigned char>(Text[At]);
		const int Length = First < 0x80 ? 1 : First >> 5 == 6 ? 2 : First >> 4 == 14 ? 3 : First >> 3 == 30 ? 4 : 0;
		if (Length == 0 || At + static_cast<std::size_t>(Length) > Text.size())
			return false;
		std::uint32_t Code = Length == 1 ? First : First & (0x7f >> Length);
		for (int More = 1; More < Length; ++More)
		{
			const auto Next = static_cast<unsigned char>(Text[At + static_cast<std::size_t>(More)]);
			if (Next >> 6 != 2)
				return false;
			Code = (Code << 6) | (Next & 0x3f);
		}
		static const std::uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
		if (Code < Least[Length] || Code > 0x10ffff || (Code >= 0xd800 && Code <= 0xdfff))
			return false;
		At += static_cast<std::size_t>(Length);
	}
	return true;
}
}
