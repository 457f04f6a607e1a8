// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"

#include "CreatorAttributionSettings.generated.h"

/** Settings of the project, in Project Settings, Game, Creator Attribution. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "Creator Attribution"))
class CREATORATTRIBUTION_API UCreatorAttributionSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Address of the service, such as https://creators.example. */
	UPROPERTY(Config, EditAnywhere, Category = "Creator Attribution")
	FString BaseAddress;

	/** Key that begins with svc_pk_. Never put a secret key into a game. */
	UPROPERTY(Config, EditAnywhere, Category = "Creator Attribution")
	FString PublicKey;

	/** Group of the creators. Leave it empty for the publisher's default group. */
	UPROPERTY(Config, EditAnywhere, Category = "Creator Attribution")
	FString GroupId;
};
