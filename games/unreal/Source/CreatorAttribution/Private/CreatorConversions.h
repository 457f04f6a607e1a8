// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "Core/Client.h"
#include "CreatorAttributionTypes.h"

/** Conversions between the core and the engine. */
namespace CreatorConversions
{
inline FString ToEngine(const std::string& Text)
{
	const FUTF8ToTCHAR Converted(Text.data(), static_cast<int32>(Text.size()));
	return FString(FStringView(Converted.Get(), Converted.Length()));
}

inline FString ToEngine(const std::optional<std::string>& Text)
{
	return ToEngine(Text.value_or(""));
}

inline std::string ToCore(const FString& Text)
{
	const FTCHARToUTF8 Converted(*Text, Text.Len());
	return std::string(Converted.Get(), static_cast<std::size_t>(Converted.Length()));
}

FCreator ToEngine(const CreatorAttribution::Member& Member);
FCreatorBounty ToEngine(const CreatorAttribution::Bounty& Bounty);
FCreatorProgress ToEngine(const CreatorAttribution::BountyProgress& Progress);
FCreatorError ToEngine(const CreatorAttribution::CallError& Error);

template <class To, class From>
TArray<To> ToEngine(const std::vector<From>& Values)
{
	TArray<To> Converted;
	for (const From& Each : Values)
		Converted.Add(ToEngine(Each));
	return Converted;
}
}
