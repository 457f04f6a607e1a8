// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "Core/CodeField.h"
#include "CoreMinimal.h"
#include "CreatorAttributionTypes.h"
#include "UObject/Object.h"

#include "CreatorCodeField.generated.h"

class UCreatorCodeField;

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FCreatorCodeChanged, UCreatorCodeField*, Field);

/**
 * Field in which a player enters a creator's code. Create it with Create Code Field of the subsystem, keep it in a variable,
 * and pass it the text whenever it changes.
 */
UCLASS(BlueprintType)
class CREATORATTRIBUTION_API UCreatorCodeField : public UObject
{
	GENERATED_BODY()

public:
	/** Called after each change of the state. */
	UPROPERTY(BlueprintAssignable, Category = "Creator Attribution")
	FCreatorCodeChanged OnChanged;

	/** Sets the text as the player has typed it so far. */
	UFUNCTION(BlueprintCallable, Category = "Creator Attribution")
	void SetText(const FString& Text);

	/** Returns the text without spaces at its ends. */
	UFUNCTION(BlueprintPure, Category = "Creator Attribution")
	FString GetText() const;

	UFUNCTION(BlueprintPure, Category = "Creator Attribution")
	ECreatorCodeState GetState() const;

	/** Returns the creator of the code. It is empty unless the state is Found. */
	UFUNCTION(BlueprintPure, Category = "Creator Attribution")
	FCreator GetCreator() const;

	/** Returns why the lookup failed. It is empty unless the state is Delayed or Unavailable. */
	UFUNCTION(BlueprintPure, Category = "Creator Attribution")
	FCreatorError GetError() const;

	/** Connects the field with a client. Called by the subsystem. */
	void Open(CreatorAttribution::Client& Client, const FString& GroupId);

	/** Starts the lookup when it is due. Called by the subsystem. */
	void Update(double NowMs);

	/** Ends the field, before its client ends. Called by the subsystem. */
	void Close();

	virtual void BeginDestroy() override;

private:
	TUniquePtr<CreatorAttribution::CodeField> Core;
};
