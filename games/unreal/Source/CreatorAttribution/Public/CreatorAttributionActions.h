// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#pragma once

#include "Core/Client.h"
#include "CoreMinimal.h"
#include "CreatorAttributionTypes.h"
#include "Kismet/BlueprintAsyncActionBase.h"

#include "CreatorAttributionActions.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FCreatorCallFailed, const FCreatorError&, Error);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FCreatorFound, const FCreator&, Creator);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FCreatorsListed, const TArray<FCreator>&, Creators, int64, TotalCount);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FCreatorBountiesListed, const TArray<FCreatorBounty>&, Bounties, int64, TotalCount);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FCreatorProgressListed, const TArray<FCreatorProgress>&, Progress, int64, TotalCount);

/** Blueprint node that reads from the service. */
UCLASS(Abstract)
class CREATORATTRIBUTION_API UCreatorAttributionAction : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintAssignable)
	FCreatorCallFailed OnFailed;

	/** Sets the parameters of the node. Parameters that it doesn't have are ignored. */
	void Prepare(UObject* WorldContext, const FString& Id, int32 Page, int32 PageSize);

	/** Reports an error, and ends the node. */
	void Fail(const FCreatorError& Error);

	virtual void Activate() override;

protected:
	/** Starts the call. */
	virtual void Start(CreatorAttribution::Client& Client, const std::string& GroupId)
	{
	}

	UPROPERTY()
	TObjectPtr<UObject> WorldContext;

	FString Id;
	int32 Page = 0;
	int32 PageSize = 0;
};

/** Finds the creator of a code. */
UCLASS()
class CREATORATTRIBUTION_API UFindCreatorAction : public UCreatorAttributionAction
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintAssignable)
	FCreatorFound OnFound;

	UFUNCTION(BlueprintCallable, Category = "Creator Attribution",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContext"))
	static UFindCreatorAction* FindCreator(UObject* WorldContext, const FString& Code);

protected:
	virtual void Start(CreatorAttribution::Client& Client, const std::string& GroupId) override;
};

/** Lists the creators of the group. */
UCLASS()
class CREATORATTRIBUTION_API UListCreatorsAction : public UCreatorAttributionAction
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintAssignable)
	FCreatorsListed OnListed;

	UFUNCTION(BlueprintCallable, Category = "Creator Attribution",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContext"))
	static UListCreatorsAction* ListCreators(UObject* WorldContext, int32 Page = 1, int32 PageSize = 100);

protected:
	virtual void Start(CreatorAttribution::Client& Client, const std::string& GroupId) override;
};

/** Lists the bounties of the group. */
UCLASS()
class CREATORATTRIBUTION_API UListCreatorBountiesAction : public UCreatorAttributionAction
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintAssignable)
	FCreatorBountiesListed OnListed;

	UFUNCTION(BlueprintCallable, Category = "Creator Attribution",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContext"))
	static UListCreatorBountiesAction* ListCreatorBounties(UObject* WorldContext, int32 Page = 1, int32 PageSize = 10);

protected:
	virtual void Start(CreatorAttribution::Client& Client, const std::string& GroupId) override;
};

/** Lists the progress of a creator, by account id. */
UCLASS()
class CREATORATTRIBUTION_API UListCreatorProgressAction : public UCreatorAttributionAction
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintAssignable)
	FCreatorProgressListed OnListed;

	UFUNCTION(BlueprintCallable, Category = "Creator Attribution",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContext"))
	static UListCreatorProgressAction* ListCreatorProgress(
		UObject* WorldContext, const FString& CreatorId, int32 Page = 1, int32 PageSize = 10);

protected:
	virtual void Start(CreatorAttribution::Client& Client, const std::string& GroupId) override;
};
