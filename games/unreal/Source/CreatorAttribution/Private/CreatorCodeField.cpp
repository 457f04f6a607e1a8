// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#include "CreatorCodeField.h"

#include "CreatorConversions.h"

void UCreatorCodeField::SetText(const FString& Text)
{
	if (Core)
		Core->SetText(CreatorConversions::ToCore(Text));
}

FString UCreatorCodeField::GetText() const
{
	return Core ? CreatorConversions::ToEngine(Core->Text()) : FString();
}

ECreatorCodeState UCreatorCodeField::GetState() const
{
	return Core ? static_cast<ECreatorCodeState>(Core->State()) : ECreatorCodeState::Unavailable;
}

FCreator UCreatorCodeField::GetCreator() const
{
	return Core && Core->Creator() ? CreatorConversions::ToEngine(*Core->Creator()) : FCreator();
}

FCreatorError UCreatorCodeField::GetError() const
{
	return Core && Core->Error() ? CreatorConversions::ToEngine(*Core->Error()) : FCreatorError();
}

void UCreatorCodeField::Open(CreatorAttribution::Client& Client, const FString& GroupId)
{
	Core = MakeUnique<CreatorAttribution::CodeField>(Client, CreatorConversions::ToCore(GroupId));
	Core->OnChanged = [this](const CreatorAttribution::CodeField&) { OnChanged.Broadcast(this); };
}

void UCreatorCodeField::Update(double NowMs)
{
	if (Core)
		Core->Update(NowMs);
}

void UCreatorCodeField::Close()
{
	Core.Reset();
}

void UCreatorCodeField::BeginDestroy()
{
	Close();
	Super::BeginDestroy();
}
