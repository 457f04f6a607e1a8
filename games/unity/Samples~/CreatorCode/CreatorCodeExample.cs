using System.Text;
using CreatorAttribution.Unity;
using UnityEngine;
using UnityEngine.EventSystems;
using UnityEngine.UI;

namespace CreatorAttribution.Samples
{
    /// <summary>
    /// Builds a screen with a code field, the creators of the group, and its bounties. It needs an AttributionBehaviour on the
    /// same object, with your address and public key.
    /// </summary>
    [RequireComponent(typeof(AttributionBehaviour))]
    public sealed class CreatorCodeExample : MonoBehaviour
    {
        private AttributionBehaviour attribution;
        private Text creators;
        private Text bounties;
        private Call progressCall;

        private void Start()
        {
            attribution = GetComponent<AttributionBehaviour>();
            new GameObject("Camera").AddComponent<Camera>();
            new GameObject("Event system", typeof(EventSystem), typeof(StandaloneInputModule));
            var canvas = new GameObject("Canvas", typeof(Canvas), typeof(CanvasScaler), typeof(GraphicRaycaster));
            canvas.GetComponent<Canvas>().renderMode = RenderMode.ScreenSpaceOverlay;

            var input = DefaultControls.CreateInputField(new DefaultControls.Resources());
            Place(input, canvas, 0.85f, 40);
            var code = gameObject.AddComponent<CreatorCodeInput>();
            code.attribution = attribution;
            code.input = input.GetComponent<InputField>();
            code.message = AddText(canvas, 0.75f, 40);
            code.changed.AddListener(ShowProgress);
            creators = AddText(canvas, 0.5f, 160);
            bounties = AddText(canvas, 0.2f, 160);
            ShowCreators();
        }

        private void ShowCreators()
        {
            attribution.Client.ListMembers(attribution.groupId, 1, 10, result =>
            {
                var lines = new StringBuilder();
                if (!result.IsOk)
                    lines.Append("Couldn't load the creators: ").Append(result.Error.Code);
                else
                    foreach (var member in result.Value.Members)
                        lines.AppendLine(member.Name);
                creators.text = lines.ToString();
            });
        }

        /// <summary>Shows how far the creator of the code is with each bounty.</summary>
        private void ShowProgress(CodeField field)
        {
            bounties.text = "";
            progressCall?.Cancel();
            if (field.State != CodeState.Found)
                return;
            progressCall = attribution.Client.ListProgress(field.Member.Id, attribution.groupId, 1, 10, result =>
            {
                if (!result.IsOk)
                    return;
                var lines = new StringBuilder();
                foreach (var progress in result.Value.Progress)
                    foreach (var each in progress.CurrentObjectives)
                        lines.AppendLine(progress.Name + ": " + each.Count + " of " + each.Objective.Count);
                bounties.text = lines.ToString();
            });
        }

        private static Text AddText(GameObject canvas, float height, float size)
        {
            var text = DefaultControls.CreateText(new DefaultControls.Resources());
            Place(text, canvas, height, size);
            text.GetComponent<Text>().text = "";
            return text.GetComponent<Text>();
        }

        private static void Place(GameObject control, GameObject canvas, float height, float size)
        {
            control.transform.SetParent(canvas.transform, false);
            var rectangle = control.GetComponent<RectTransform>();
            rectangle.anchorMin = rectangle.anchorMax = new Vector2(0.5f, height);
            rectangle.sizeDelta = new Vector2(400, size);
        }
    }
}
