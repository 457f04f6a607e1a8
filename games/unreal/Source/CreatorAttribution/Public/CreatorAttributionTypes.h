// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "CoreMinimal.h"

#include "CreatorAttributionTypes.generated.h"

/** State of a code field. */
UENUM(BlueprintType)
enum class ECreatorCodeState : uint8
{
	Empty,
	Waiting,
	Checking,
	Found,
	Unknown,
	Delayed,
	Unavailable,
};

/** Kind of an error. */
UENUM(BlueprintType)
enum class ECreatorErrorKind : uint8
{
	Rejected,
	ConnectionFailed,
	TimedOut,
	InvalidResponse,
	InvalidInput,
	/** The settings of the project are wrong. */
	InvalidSettings,
};

/** Why a call failed. */
USTRUCT(BlueprintType)
struct CREATORATTRIBUTION_API FCreatorError
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	ECreatorErrorKind Kind = ECreatorErrorKind::ConnectionFailed;

	/** Status of the response; 0 if there was none. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	int32 Status = 0;

	/** Code of the service, such as CodeNotInGroup. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Code;

	/** Explanation for developers. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Message;
};

/** Creator in a group. Absent texts are empty. */
USTRUCT(BlueprintType)
struct CREATORATTRIBUTION_API FCreator
{
	GENERATED_BODY()

	/** Account id. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Id;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Name;

	/** The publisher's own id of the creator. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString PlayerId;

	/** Codes, the primary one first. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	TArray<FString> Codes;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString LogoImage;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString ProfileImage;

	/** Values that the publisher stored, as JSON. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString PlayerMetadata;
};

/** Bounty of a group. Times are ISO 8601, and empty if there is none. */
USTRUCT(BlueprintType)
struct CREATORATTRIBUTION_API FCreatorBounty
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Id;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Name;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Description;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString RewardDescription;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString ImageSrc;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString StartsAt;

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString EndsAt;
};

/** Progress toward an objective. */
USTRUCT(BlueprintType)
struct CREATORATTRIBUTION_API FCreatorObjective
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString Name;

	/** Number so far; for an amount, in minor units of the currency. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	int64 Count = 0;

	/** Number that is required. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	int64 Required = 0;
};

/** Progress of a creator toward a bounty. */
USTRUCT(BlueprintType)
struct CREATORATTRIBUTION_API FCreatorProgress
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	FString BountyName;

	/** How often the creator has completed the bounty. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	int64 CompletionCount = 0;

	/** True once the limit is reached. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	bool bCompleted = false;

	/** Progress toward the next completion. */
	UPROPERTY(BlueprintReadOnly, Category = "Creator Attribution")
	TArray<FCreatorObjective> Objectives;
};
