using System.Globalization;
using System.Text;

namespace CreatorAttribution
{
    /// <summary>Writes JSON text.</summary>
    internal static class JsonWriter
    {
        public static string Write(JsonValue value)
        {
            var builder = new StringBuilder();
            Append(builder, value);
            return builder.ToString();
        }

        private static void Append(StringBuilder builder, JsonValue value)
        {
            switch (value.Kind)
            {
                case JsonKind.Text:
                    AppendText(builder, value.AsText());
                    break;
                case JsonKind.Array:
                    builder.Append('[');
                    for (var index = 0; index < value.Items.Count; index++)
                    {
                        if (index > 0)
                            builder.Append(',');
                        Append(builder, value.Items[index]);
                    }
                    builder.Append(']');
                    break;
                case JsonKind.Object:
                    var separator = "";
                    builder.Append('{');
                    foreach (var property in value.Properties)
                    {
                        builder.Append(separator);
                        separator = ",";
                        AppendText(builder, property.Key);
                        builder.Append(':');
                        Append(builder, property.Value);
                    }
                    builder.Append('}');
                    break;
                default:
                    builder.Append(value.Raw);
                    break;
            }
        }

        /// <summary>Escapes quotes, backslashes, control characters, and halves of surrogate pairs.</summary>
        private static void AppendText(StringBuilder builder, string text)
        {
            builder.Append('"');
            for (var index = 0; index < text.Length; index++)
            {
                var character = text[index];
                if (character == '"' || character == '\\')
                    builder.Append('\\').Append(character);
                else if (char.IsHighSurrogate(character) && index + 1 < text.Length && char.IsLowSurrogate(text[index + 1]))
                    builder.Append(character).Append(text[++index]);
                else if (character < ' ' || char.IsSurrogate(character))
                    builder.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
                else
                    builder.Append(character);
            }
            builder.Append('"');
        }
    }
}
