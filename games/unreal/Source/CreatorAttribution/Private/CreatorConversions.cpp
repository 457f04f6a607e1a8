// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#include "CreatorConversions.h"

namespace CreatorConversions
{
FCreator ToEngine(const CreatorAttribution::Member& Member)
{
	FCreator Creator;
	Creator.Id = ToEngine(Member.Id);
	Creator.Name = ToEngine(Member.Name);
	Creator.PlayerId = ToEngine(Member.PlayerId);
	Creator.LogoImage = ToEngine(Member.LogoImage);
	Creator.ProfileImage = ToEngine(Member.ProfileImage);
	Creator.PlayerMetadata = Member.PlayerMetadata ? ToEngine(Member.PlayerMetadata->ToString()) : FString();
	for (const CreatorAttribution::CreatorCode& Each : Member.Codes)
		Creator.Codes.Add(ToEngine(Each.Code));
	return Creator;
}

FCreatorBounty ToEngine(const CreatorAttribution::Bounty& Bounty)
{
	FCreatorBounty Converted;
	Converted.Id = ToEngine(Bounty.Id);
	Converted.Name = ToEngine(Bounty.Name);
	Converted.Description = ToEngine(Bounty.Description);
	Converted.RewardDescription = ToEngine(Bounty.RewardDescription);
	Converted.ImageSrc = ToEngine(Bounty.ImageSrc);
	Converted.StartsAt = ToEngine(Bounty.StartsAt);
	Converted.EndsAt = ToEngine(Bounty.EndsAt);
	return Converted;
}

FCreatorProgress ToEngine(const CreatorAttribution::BountyProgress& Progress)
{
	FCreatorProgress Converted;
	Converted.BountyName = ToEngine(Progress.Name);
	Converted.CompletionCount = Progress.CompletionCount;
	Converted.bCompleted = Progress.bCompleted;
	for (const CreatorAttribution::ObjectiveProgress& Each : Progress.CurrentObjectives)
	{
		FCreatorObjective Objective;
		Objective.Name = ToEngine(Each.Objective.Name);
		Objective.Count = Each.Count;
		Objective.Required = Each.Objective.Count;
		Converted.Objectives.Add(Objective);
	}
	return Converted;
}

FCreatorError ToEngine(const CreatorAttribution::CallError& Error)
{
	FCreatorError Converted;
	Converted.Kind = static_cast<ECreatorErrorKind>(Error.Kind);
	Converted.Status = Error.Status;
	Converted.Code = ToEngine(Error.Code);
	Converted.Message = ToEngine(Error.Message);
	return Converted;
}
}
