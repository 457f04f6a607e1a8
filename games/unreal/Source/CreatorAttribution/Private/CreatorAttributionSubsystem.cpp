// Layer for the engine. It is compiled with stubs of the engine's types only, and has not been run in Unreal yet.

#include "CreatorAttributionSubsystem.h"

#include "CreatorAttributionSettings.h"
#include "CreatorCodeField.h"
#include "CreatorConversions.h"
#include "CreatorHttpTransport.h"
#include "HAL/PlatformTime.h"
#include "Modules/ModuleManager.h"

IMPLEMENT_MODULE(FDefaultModuleImpl, CreatorAttribution)

DEFINE_LOG_CATEGORY_STATIC(LogCreatorAttribution, Log, All);

void UCreatorAttributionSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	const UCreatorAttributionSettings* Settings = GetDefault<UCreatorAttributionSettings>();
	CreatorAttribution::ClientOptions Options;
	Options.BaseAddress = CreatorConversions::ToCore(Settings->BaseAddress);
	Options.PublicKey = CreatorConversions::ToCore(Settings->PublicKey);
	Transport = std::make_unique<FCreatorHttpTransport>();
	std::string Fault;
	Client = CreatorAttribution::Client::Create(Options, *Transport, Fault);
	if (!Client)
		UE_LOG(LogCreatorAttribution, Error, TEXT("%s"), *CreatorConversions::ToEngine(Fault));
}

void UCreatorAttributionSubsystem::Deinitialize()
{
	for (const TWeakObjectPtr<UCreatorCodeField>& Each : Fields)
		if (Each.IsValid())
			Each->Close();
	Fields.Empty();
	Client.reset();
	Transport.reset();
	Super::Deinitialize();
}

void UCreatorAttributionSubsystem::Tick(float)
{
	if (!Client)
		return;
	const double NowMs = FPlatformTime::Seconds() * 1000;
	Client->Update(NowMs);
	Fields.RemoveAll([](const TWeakObjectPtr<UCreatorCodeField>& Each) { return !Each.IsValid(); });
	for (const TWeakObjectPtr<UCreatorCodeField>& Each : TArray<TWeakObjectPtr<UCreatorCodeField>>(Fields))
		if (Each.IsValid())
			Each->Update(NowMs);
}

TStatId UCreatorAttributionSubsystem::GetStatId() const
{
	RETURN_QUICK_DECLARE_CYCLE_STAT(UCreatorAttributionSubsystem, STATGROUP_Tickables);
}

ETickableTickType UCreatorAttributionSubsystem::GetTickableTickType() const
{
	return IsTemplate() ? ETickableTickType::Never : ETickableTickType::Always;
}

UCreatorCodeField* UCreatorAttributionSubsystem::CreateCodeField()
{
	UCreatorCodeField* Field = NewObject<UCreatorCodeField>(this);
	if (Client)
		Field->Open(*Client, GetDefault<UCreatorAttributionSettings>()->GroupId);
	Fields.Add(Field);
	return Field;
}

std::string UCreatorAttributionSubsystem::GetGroupId() const
{
	return CreatorConversions::ToCore(GetDefault<UCreatorAttributionSettings>()->GroupId);
}
