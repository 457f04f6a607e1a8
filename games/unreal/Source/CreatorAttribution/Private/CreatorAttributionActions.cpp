// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#include "CreatorAttributionActions.h"

#include "CreatorAttributionSubsystem.h"
#include "CreatorConversions.h"
#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"

namespace
{
/** Returns the subsystem of a game, if its settings are right; else null. */
UCreatorAttributionSubsystem* SubsystemOf(UObject* Context)
{
	const UWorld* World = GEngine->GetWorldFromContextObject(Context, EGetWorldErrorMode::LogAndReturnNull);
	UGameInstance* Game = World == nullptr ? nullptr : World->GetGameInstance();
	UCreatorAttributionSubsystem* Found = Game == nullptr ? nullptr : Game->GetSubsystem<UCreatorAttributionSubsystem>();
	return Found != nullptr && Found->GetClient() != nullptr ? Found : nullptr;
}

template <class NodeType>
NodeType* NewNode(UObject* WorldContext, const FString& Id, int32 Page, int32 PageSize)
{
	NodeType* Node = NewObject<NodeType>();
	Node->Prepare(WorldContext, Id, Page, PageSize);
	return Node;
}

/** Returns a callback that reports a result to a node, if the node still exists. */
template <class ValueType, class NodeType, class ReportType>
CreatorAttribution::Done<ValueType> ReportTo(NodeType* Node, ReportType Report)
{
	return [Weak = TWeakObjectPtr<NodeType>(Node), Report](const CreatorAttribution::Result<ValueType>& Ended) {
		NodeType* Found = Weak.Get();
		if (Found == nullptr)
			return;
		if (!Ended.IsOk())
			return Found->Fail(CreatorConversions::ToEngine(*Ended.Error));
		Report(*Found, *Ended.Value);
		Found->SetReadyToDestroy();
	};
}
}

void UCreatorAttributionAction::Prepare(UObject* InWorldContext, const FString& InId, int32 InPage, int32 InPageSize)
{
	WorldContext = InWorldContext;
	Id = InId;
	Page = InPage;
	PageSize = InPageSize;
	RegisterWithGameInstance(InWorldContext);
}

void UCreatorAttributionAction::Fail(const FCreatorError& Error)
{
	OnFailed.Broadcast(Error);
	SetReadyToDestroy();
}

void UCreatorAttributionAction::Activate()
{
	UCreatorAttributionSubsystem* Subsystem = SubsystemOf(WorldContext);
	if (Subsystem != nullptr)
		return Start(*Subsystem->GetClient(), Subsystem->GetGroupId());
	FCreatorError Error;
	Error.Kind = ECreatorErrorKind::InvalidSettings;
	Error.Message = TEXT("The settings of Creator Attribution are wrong. The log says why.");
	Fail(Error);
}

UFindCreatorAction* UFindCreatorAction::FindCreator(UObject* WorldContext, const FString& Code)
{
	return NewNode<UFindCreatorAction>(WorldContext, Code, 0, 0);
}

void UFindCreatorAction::Start(CreatorAttribution::Client& Client, const std::string& GroupId)
{
	const auto Report = [](UFindCreatorAction& Node, const CreatorAttribution::Member& Found) {
		Node.OnFound.Broadcast(CreatorConversions::ToEngine(Found));
	};
	Client.GetMember(CreatorConversions::ToCore(Id), GroupId, ReportTo<CreatorAttribution::Member>(this, Report));
}

UListCreatorsAction* UListCreatorsAction::ListCreators(UObject* WorldContext, int32 Page, int32 PageSize)
{
	return NewNode<UListCreatorsAction>(WorldContext, FString(), Page, PageSize);
}

void UListCreatorsAction::Start(CreatorAttribution::Client& Client, const std::string& GroupId)
{
	const auto Report = [](UListCreatorsAction& Node, const CreatorAttribution::MemberPage& Found) {
		Node.OnListed.Broadcast(CreatorConversions::ToEngine<FCreator>(Found.Members), Found.TotalCount);
	};
	Client.ListMembers(GroupId, Page, PageSize, ReportTo<CreatorAttribution::MemberPage>(this, Report));
}

UListCreatorBountiesAction* UListCreatorBountiesAction::ListCreatorBounties(
	UObject* WorldContext, int32 Page, int32 PageSize)
{
	return NewNode<UListCreatorBountiesAction>(WorldContext, FString(), Page, PageSize);
}

void UListCreatorBountiesAction::Start(CreatorAttribution::Client& Client, const std::string& GroupId)
{
	const auto Report = [](UListCreatorBountiesAction& Node, const CreatorAttribution::BountyPage& Found) {
		Node.OnListed.Broadcast(CreatorConversions::ToEngine<FCreatorBounty>(Found.Bounties), Found.TotalCount);
	};
	Client.ListBounties(GroupId, Page, PageSize, ReportTo<CreatorAttribution::BountyPage>(this, Report));
}

UListCreatorProgressAction* UListCreatorProgressAction::ListCreatorProgress(
	UObject* WorldContext, const FString& CreatorId, int32 Page, int32 PageSize)
{
	return NewNode<UListCreatorProgressAction>(WorldContext, CreatorId, Page, PageSize);
}

void UListCreatorProgressAction::Start(CreatorAttribution::Client& Client, const std::string& GroupId)
{
	const auto Report = [](UListCreatorProgressAction& Node, const CreatorAttribution::MemberProgressPage& Found) {
		Node.OnListed.Broadcast(CreatorConversions::ToEngine<FCreatorProgress>(Found.Progress), Found.TotalCount);
	};
	Client.ListProgress(CreatorConversions::ToCore(Id), GroupId, Page, PageSize,
		ReportTo<CreatorAttribution::MemberProgressPage>(this, Report));
}
