#pragma once

#include "Core/Json.h"

namespace CreatorAttribution
{
/** Reader of an object's properties. */
class FieldReader
{
public:
	explicit FieldReader(const JsonValue& InObject) : Object(InObject)
	{
	}

	/** Name of a property that is missing or has another type; empty if there is none. */
	const std::string& Missing() const
	{
		return MissingName;
	}

	bool Has(std::string_view Name) const
	{
		return Object.Find(Name) != nullptr;
	}

	template <class T>
	void Required(std::string_view Name, T& Value)
	{
		const JsonValue* Found = Object.Find(Name);
		if (Found == nullptr || !Read(*Found, Value))
			Miss(Name);
	}

	template <class T>
	void Optional(std::string_view Name, std::optional<T>& Value)
	{
		const JsonValue* Found = Object.Find(Name);
		if (Found == nullptr)
			return;
		Value.emplace();
		if (!Read(*Found, *Value))
			Miss(Name);
	}

private:
	template <class T>
	static bool Take(const std::optional<T>& Found, T& Value)
	{
		if (Found)
			Value = *Found;
		return Found.has_value();
	}

	static bool Read(const JsonValue& Found, std::string& Value)
	{
		return Take(Found.AsText(), Value);
	}

	static bool Read(const JsonValue& Found, bool& Value)
	{
		return Take(Found.AsBoolean(), Value);
	}

	static bool Read(const JsonValue& Found, std::int64_t& Value)
	{
		return Take(Found.AsInteger(), Value);
	}

	static bool Read(const JsonValue& Found, double& Value)
	{
		return Take(Found.AsNumber(), Value);
	}

	static bool Read(const JsonValue& Found, JsonValue& Value)
	{
		Value = Found;
		return true;
	}

	template <class T>
	bool Read(const JsonValue& Found, std::vector<T>& Values)
	{
		if (Found.Kind != JsonKind::Array)
			return false;
		for (const JsonValue& Item : Found.Items)
		{
			Values.emplace_back();
			if (!Read(Item, Values.back()))
				return false;
		}
		return true;
	}

	template <class T>
	bool Read(const JsonValue& Found, T& Value)
	{
		FieldReader Fields(Found);
		Value.Map(Fields);
		if (!Fields.MissingName.empty())
			Miss(Fields.MissingName);
		return Fields.MissingName.empty();
	}

	void Miss(std::string_view Name)
	{
		if (MissingName.empty())
			MissingName = Name;
	}

	const JsonValue& Object;
	std::string MissingName;
};
}
