#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CreatorAttribution
{
struct JsonProperty;

enum class JsonKind
{
	Null,
	Boolean,
	Number,
	Text,
	Array,
	Object,
};

/** Value of a JSON document. Texts are UTF-8. Numbers keep the text that they were read from. */
class JsonValue
{
public:
	JsonValue() = default;

	static JsonValue OfText(std::string Text);
	static JsonValue OfBoolean(bool Value);
	static JsonValue OfInteger(std::int64_t Value);
	static JsonValue OfNumber(std::string Digits);
	static JsonValue OfItems(std::vector<JsonValue> Items);
	static JsonValue OfProperties(std::vector<JsonProperty> Properties);

	JsonKind Kind = JsonKind::Null;

	/** Items of an array; empty for other kinds. */
	std::vector<JsonValue> Items;

	/** Properties of an object, in their order; empty for other kinds. */
	std::vector<JsonProperty> Properties;

	/** Text, or the digits of a number, or the word of a Boolean. */
	std::string Raw = "null";

	std::optional<std::string> AsText() const;
	std::optional<bool> AsBoolean() const;

	/** Returns a whole number; nothing for fractions, and for numbers beyond 64 bits. */
	std::optional<std::int64_t> AsInteger() const;

	/** Returns a number; nothing for numbers that a double can't have. */
	std::optional<double> AsNumber() const;

	/** Returns a property of an object, or null if it is absent or null. */
	const JsonValue* Find(std::string_view Name) const;

	/** Returns the JSON text of the value. */
	std::string ToString() const;
};

struct JsonProperty
{
	std::string Name;
	JsonValue Value;
};

/** Maximum depth of arrays and objects, so that a response can't exhaust the stack. */
constexpr int MaxJsonDepth = 64;

/**
 * Reads JSON text strictly (RFC 8259), and UTF-8 too. If a property is repeated, its last value counts.
 * @param Fault says what is wrong if there is no value
 */
std::optional<JsonValue> ReadJson(std::string_view Text, std::string& Fault);

/** Returns whether a text is well-formed UTF-8. */
bool IsUtf8(std::string_view Text);
}
