// The types of Unity that this package uses, without any behavior. The test compiles the package against them, which proves
// its syntax and its use of the core. It doesn't prove that the package works in the engine.
using System;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string name) { } }
    public sealed class RequireComponent : Attribute { public RequireComponent(Type type) { } }

    public class Object { }
    public class Component : Object
    {
        public GameObject gameObject { get { return null; } }
        public Transform transform { get { return null; } }
        public T GetComponent<T>() { return default(T); }
    }
    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }
    public class Transform : Component { public void SetParent(Transform parent, bool keepsPosition) { } }
    public sealed class RectTransform : Transform
    {
        public Vector2 anchorMin { get; set; }
        public Vector2 anchorMax { get; set; }
        public Vector2 sizeDelta { get; set; }
    }
    public sealed class GameObject : Object
    {
        public GameObject(string name, params Type[] components) { }
        public Transform transform { get { return null; } }
        public T AddComponent<T>() where T : Component { return default(T); }
        public T GetComponent<T>() { return default(T); }
    }
    public static class Debug
    {
        public static void Log(object message) { }
        public static void LogWarning(object message) { }
    }
    public struct Vector2 { public Vector2(float x, float y) { } }
    public sealed class Camera : Behaviour { }
    public enum RenderMode { ScreenSpaceOverlay }
    public sealed class Canvas : Behaviour { public RenderMode renderMode { get; set; } }
    public static class Time { public static double realtimeSinceStartupAsDouble { get { return 0; } } }
    public class AsyncOperation { public event Action<AsyncOperation> completed { add { } remove { } } }
}

namespace UnityEngine.Events
{
    public delegate void UnityAction<T>(T value);
    public abstract class UnityEvent<T>
    {
        public void AddListener(UnityAction<T> listener) { }
        public void RemoveListener(UnityAction<T> listener) { }
        public void Invoke(T value) { }
    }
}

namespace UnityEngine.EventSystems
{
    public sealed class EventSystem : Behaviour { }
    public sealed class StandaloneInputModule : Behaviour { }
}

namespace UnityEngine.UI
{
    public sealed class CanvasScaler : Behaviour { }
    public sealed class GraphicRaycaster : Behaviour { }
    public sealed class Text : Behaviour { public string text { get; set; } }
    public sealed class InputField : Behaviour
    {
        public sealed class OnChangeEvent : Events.UnityEvent<string> { }
        public string text { get; set; }
        public OnChangeEvent onValueChanged { get { return null; } }
    }
    public static class DefaultControls
    {
        public struct Resources { }
        public static GameObject CreateInputField(Resources resources) { return null; }
        public static GameObject CreateText(Resources resources) { return null; }
    }
}

namespace UnityEngine.Networking
{
    public abstract class DownloadHandler { }
    public abstract class UploadHandler { }
    public class DownloadHandlerScript : DownloadHandler
    {
        protected virtual bool ReceiveData(byte[] data, int dataLength) { return true; }
    }
    public sealed class UnityWebRequestAsyncOperation : AsyncOperation { }
    public sealed class UnityWebRequest : IDisposable
    {
        public const string kHttpVerbGET = "GET";
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }
        public UnityWebRequest(string url, string method, DownloadHandler download, UploadHandler upload) { }
        public int redirectLimit { get; set; }
        public long responseCode { get { return 0; } }
        public Result result { get { return Result.InProgress; } }
        public string error { get { return null; } }
        public void SetRequestHeader(string name, string value) { }
        public string GetResponseHeader(string name) { return null; }
        public UnityWebRequestAsyncOperation SendWebRequest() { return null; }
        public void Abort() { }
        public void Dispose() { }
    }
}
