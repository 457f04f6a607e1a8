#pragma once

#include "Core/Json.h"

#include <locale>
#include <sstream>

namespace CreatorAttribution::Tests
{
/** Writer of models as JSON, so that tests can compare them with what the service sent. */
class FieldWriter
{
public:
	bool Has(std::string_view) const
	{
		return false;
	}

	template <class T>
	void Required(std::string_view Name, T& Value)
	{
		Properties.push_back({std::string(Name), Write(Value)});
	}

	template <class T>
	void Optional(std::string_view Name, std::optional<T>& Value)
	{
		if (Value)
			Required(Name, *Value);
	}

	static JsonValue Write(std::string& Value)
	{
		return JsonValue::OfText(Value);
	}

	static JsonValue Write(bool& Value)
	{
		return JsonValue::OfBoolean(Value);
	}

	static JsonValue Write(std::int64_t& Value)
	{
		return JsonValue::OfInteger(Value);
	}

	static JsonValue Write(double& Value)
	{
		std::ostringstream Stream;
		Stream.imbue(std::locale::classic());
		Stream.precision(15);
		Stream << Value;
		return JsonValue::OfNumber(Stream.str());
	}

	static JsonValue Write(JsonValue& Value)
	{
		return Value;
	}

	template <class T>
	static JsonValue Write(std::vector<T>& Values)
	{
		std::vector<JsonValue> Items;
		for (T& Each : Values)
			Items.push_back(Write(Each));
		return JsonValue::OfItems(std::move(Items));
	}

	template <class T>
	static JsonValue Write(T& Value)
	{
		FieldWriter Fields;
		Value.Map(Fields);
		return JsonValue::OfProperties(std::move(Fields.Properties));
	}

private:
	std::vector<JsonProperty> Properties;
};
}
