// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "Core/Client.h"
#include "CoreMinimal.h"
#include "CreatorAttributionTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "Tickable.h"

#include "CreatorAttributionSubsystem.generated.h"

class UCreatorCodeField;

/** Client of the running game. It sends and reports in each frame, also while the game is paused. */
UCLASS()
class CREATORATTRIBUTION_API UCreatorAttributionSubsystem : public UGameInstanceSubsystem, public FTickableGameObject
{
	GENERATED_BODY()

public:
	/** Creates a field for a creator's code. */
	UFUNCTION(BlueprintCallable, Category = "Creator Attribution")
	UCreatorCodeField* CreateCodeField();

	/** Returns the client for C++; null if the settings of the project are wrong, which the log says. */
	CreatorAttribution::Client* GetClient() const
	{
		return Client.get();
	}

	/** Returns the group of the settings. */
	std::string GetGroupId() const;

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;
	virtual void Tick(float DeltaTime) override;
	virtual TStatId GetStatId() const override;
	virtual ETickableTickType GetTickableTickType() const override;

	virtual bool IsTickableWhenPaused() const override
	{
		return true;
	}

private:
	std::unique_ptr<CreatorAttribution::Transport> Transport;
	std::unique_ptr<CreatorAttribution::Client> Client;
	TArray<TWeakObjectPtr<UCreatorCodeField>> Fields;
};
