using System;
using UnityEngine;
using UnityEngine.Events;
using UnityEngine.UI;

namespace CreatorAttribution.Unity
{
    [Serializable]
    public sealed class CodeFieldEvent : UnityEvent<CodeField>
    {
    }

    /// <summary>
    /// Looks a code up as the player types it into an input field. For a TMP_InputField, leave <see cref="input"/> empty, and
    /// connect its event "On Value Changed" to <see cref="SetText"/>.
    /// </summary>
    [AddComponentMenu("Creator Attribution/Creator Code Input")]
    public sealed class CreatorCodeInput : MonoBehaviour
    {
        public AttributionBehaviour attribution;
        public InputField input;

        [Tooltip("Shows the state. Optional.")]
        public Text message;

        [Tooltip("{0} is the creator's name.")]
        public string found = "Supporting {0}";
        public string checking = "Checking…";
        public string unknown = "No creator has this code.";
        public string unavailable = "Couldn't check the code. Try again later.";

        public CodeFieldEvent changed = new CodeFieldEvent();

        private CodeField field;

        /// <summary>Text, state and creator of the field.</summary>
        public CodeField Field
        {
            get { return field ?? (field = Create()); }
        }

        public void SetText(string text)
        {
            Field.SetText(text);
        }

        private CodeField Create()
        {
            var created = new CodeField(attribution.Client, attribution.groupId);
            created.Changed += Show;
            return created;
        }

        private void Start()
        {
            if (input == null)
                return;
            input.onValueChanged.AddListener(SetText);
            SetText(input.text);
        }

        private void OnDestroy()
        {
            if (input != null)
                input.onValueChanged.RemoveListener(SetText);
            if (field != null)
                field.SetText("");
        }

        // Responses arrive in Update of AttributionBehaviour, so that they are shown in the same frame.
        private void LateUpdate()
        {
            Field.Update(AttributionBehaviour.NowMs);
        }

        private void Show(CodeField shown)
        {
            if (message != null)
                message.text = TextOf(shown);
            changed.Invoke(shown);
        }

        private string TextOf(CodeField shown)
        {
            switch (shown.State)
            {
                case CodeState.Found:
                    return string.Format(found, shown.Member.Name);
                case CodeState.Unknown:
                    return unknown;
                case CodeState.Checking:
                    return checking;
                case CodeState.Delayed:
                case CodeState.Unavailable:
                    return unavailable;
                default:
                    return "";
            }
        }
    }
}
