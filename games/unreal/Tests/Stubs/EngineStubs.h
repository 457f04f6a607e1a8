#pragma once

// The types of Unreal that the plugin uses, without any behavior. The test compiles the plugin against them, which proves its
// syntax and its use of the core. It doesn't prove that the plugin works in the engine.

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint64 = std::uint64_t;
using TCHAR = char16_t;

#define TEXT(Text) u##Text
#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY()
#define CREATORATTRIBUTION_API
#define IMPLEMENT_MODULE(Class, Module)
#define DEFINE_LOG_CATEGORY_STATIC(Name, Default, Compiled)
#define UE_LOG(Category, Level, Format, ...) static_cast<void>(__VA_ARGS__)
#define RETURN_QUICK_DECLARE_CYCLE_STAT(Name, Group) return TStatId()

struct FStringView
{
	FStringView(const TCHAR*, int32) {}
};

struct FString
{
	FString() = default;
	explicit FString(FStringView) {}
	FString(const TCHAR*) {}
	const TCHAR* operator*() const { return u""; }
	int32 Len() const { return 0; }
};

struct FUTF8ToTCHAR
{
	FUTF8ToTCHAR(const char*, int32) {}
	const TCHAR* Get() const { return u""; }
	int32 Length() const { return 0; }
};

struct FTCHARToUTF8
{
	FTCHARToUTF8(const TCHAR*, int32) {}
	const char* Get() const { return ""; }
	int32 Length() const { return 0; }
};

template <class T>
struct TArray : std::vector<T>
{
	void Add(const T&) {}
	void Empty() {}
	int32 Num() const { return 0; }
	const T* GetData() const { return nullptr; }
	template <class P>
	void RemoveAll(P) {}
};

template <class T>
using TObjectPtr = T*;

template <class T>
struct TWeakObjectPtr
{
	TWeakObjectPtr(T*) {}
	bool IsValid() const { return false; }
	T* Get() const { return nullptr; }
	T* operator->() const { return nullptr; }
};

template <class T>
struct TUniquePtr : std::unique_ptr<T>
{
	using std::unique_ptr<T>::unique_ptr;
	TUniquePtr(std::unique_ptr<T>&& Other) : std::unique_ptr<T>(std::move(Other)) {}
	void Reset() { this->reset(); }
};
template <class T, class... A>
TUniquePtr<T> MakeUnique(A&&... Arguments)
{
	return std::make_unique<T>(std::forward<A>(Arguments)...);
}

enum class ESPMode { ThreadSafe };
template <class T, ESPMode>
struct TSharedRef
{
	T* operator->() const { return nullptr; }
};
template <class T>
struct TStubSharedPtr
{
	bool IsValid() const { return false; }
	T* operator->() const { return nullptr; }
};

struct UObject
{
	using Super = UObject;
	virtual ~UObject() = default;
	virtual void BeginDestroy() {}
	bool IsTemplate() const { return false; }
};
template <class T>
T* NewObject(UObject* = nullptr) { return nullptr; }
template <class T>
const T* GetDefault() { return nullptr; }

template <class... A>
struct TStubEvent
{
	void Broadcast(A...) {}
};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, T1, N1) using Name = TStubEvent<T1>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, T1, N1, T2, N2) using Name = TStubEvent<T1, T2>

struct UDeveloperSettings : UObject {};
struct TStatId {};
enum class ETickableTickType { Never, Always };
struct FTickableGameObject
{
	virtual ~FTickableGameObject() = default;
	virtual void Tick(float) = 0;
	virtual TStatId GetStatId() const = 0;
	virtual ETickableTickType GetTickableTickType() const { return ETickableTickType::Always; }
	virtual bool IsTickableWhenPaused() const { return false; }
};
struct FSubsystemCollectionBase {};
struct UGameInstanceSubsystem : UObject
{
	using Super = UGameInstanceSubsystem;
	virtual void Initialize(FSubsystemCollectionBase&) {}
	virtual void Deinitialize() {}
};
struct UGameInstance : UObject
{
	template <class T>
	T* GetSubsystem() { return nullptr; }
};
struct UWorld : UObject
{
	UGameInstance* GetGameInstance() const { return nullptr; }
};
enum class EGetWorldErrorMode { LogAndReturnNull };
struct UEngine : UObject
{
	UWorld* GetWorldFromContextObject(UObject*, EGetWorldErrorMode) { return nullptr; }
};
inline UEngine* GEngine = nullptr;
struct UBlueprintAsyncActionBase : UObject
{
	virtual void Activate() {}
	void RegisterWithGameInstance(UObject*) {}
	void SetReadyToDestroy() {}
};
struct FPlatformTime
{
	static double Seconds() { return 0; }
};

struct IHttpResponse
{
	const TArray<uint8>& GetContent() const { return Content; }
	int32 GetResponseCode() const { return 0; }
	FString GetHeader(const FString&) const { return FString(); }
	TArray<uint8> Content;
};
struct IHttpRequest;
using FHttpRequestPtr = TStubSharedPtr<IHttpRequest>;
using FHttpResponsePtr = TStubSharedPtr<IHttpResponse>;
template <class... A>
struct TStubDelegate
{
	template <class F>
	void BindLambda(F Function)
	{
		static_assert(std::is_invocable_v<F, A...>);
		static_cast<void>(Function);
	}
	void Unbind() {}
};
struct IHttpRequest
{
	void SetVerb(const FString&) {}
	void SetURL(const FString&) {}
	void SetHeader(const FString&, const FString&) {}
	TStubDelegate<FHttpRequestPtr, FHttpResponsePtr, bool>& OnProcessRequestComplete() { return Completed; }
	TStubDelegate<FHttpRequestPtr, uint64, uint64>& OnRequestProgress64() { return Progress; }
	bool ProcessRequest() { return true; }
	void CancelRequest() {}
	TStubDelegate<FHttpRequestPtr, FHttpResponsePtr, bool> Completed;
	TStubDelegate<FHttpRequestPtr, uint64, uint64> Progress;
};
struct FHttpModule
{
	static FHttpModule& Get()
	{
		static FHttpModule Module;
		return Module;
	}
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> CreateRequest() { return {}; }
};
