// Not compiled in this repository: it needs Unreal's build tool.
using UnrealBuildTool;

public class CreatorAttribution : ModuleRules
{
	public CreatorAttribution(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "DeveloperSettings", "Engine" });
		PrivateDependencyModuleNames.Add("HTTP");
	}
}
