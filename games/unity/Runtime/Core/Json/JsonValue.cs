using System.Collections.Generic;
using System.Globalization;

namespace CreatorAttribution
{
    public enum JsonKind
    {
        Null,
        Boolean,
        Number,
        Text,
        Array,
        Object,
    }

    /// <summary>Value of a JSON document. Numbers keep the text that they were read from.</summary>
    public sealed class JsonValue
    {
        private static readonly JsonValue[] NoItems = new JsonValue[0];
        private static readonly Dictionary<string, JsonValue> NoProperties = new Dictionary<string, JsonValue>();
        private readonly string text;

        private JsonValue(JsonKind kind, string text, IReadOnlyList<JsonValue> items,
            IReadOnlyDictionary<string, JsonValue> properties)
        {
            Kind = kind;
            this.text = text;
            Items = items ?? NoItems;
            Properties = properties ?? NoProperties;
        }

        public static readonly JsonValue Null = new JsonValue(JsonKind.Null, "null", null, null);

        public JsonKind Kind { get; }

        /// <summary>Items of an array; empty for other kinds.</summary>
        public IReadOnlyList<JsonValue> Items { get; }

        /// <summary>Properties of an object; empty for other kinds.</summary>
        public IReadOnlyDictionary<string, JsonValue> Properties { get; }

        public static JsonValue Of(string text)
        {
            return text == null ? Null : new JsonValue(JsonKind.Text, text, null, null);
        }

        public static JsonValue Of(bool value)
        {
            return new JsonValue(JsonKind.Boolean, value ? "true" : "false", null, null);
        }

        public static JsonValue Of(long value)
        {
            return OfNumber(value.ToString(CultureInfo.InvariantCulture));
        }

        public static JsonValue Of(double value)
        {
            return OfNumber(value.ToString("R", CultureInfo.InvariantCulture));
        }

        public static JsonValue Of(IReadOnlyList<JsonValue> items)
        {
            return new JsonValue(JsonKind.Array, "", items, null);
        }

        public static JsonValue Of(IReadOnlyDictionary<string, JsonValue> properties)
        {
            return new JsonValue(JsonKind.Object, "", null, properties);
        }

        internal static JsonValue OfNumber(string digits)
        {
            return new JsonValue(JsonKind.Number, digits, null, null);
        }

        /// <summary>Returns a text, or null for other kinds.</summary>
        public string AsText()
        {
            return Kind == JsonKind.Text ? text : null;
        }

        /// <summary>Returns a Boolean, or null for other kinds.</summary>
        public bool? AsBoolean()
        {
            return Kind == JsonKind.Boolean ? text == "true" : (bool?)null;
        }

        /// <summary>Returns a whole number, or null for other kinds, fractions, and numbers beyond 64 bits.</summary>
        public long? AsInteger()
        {
            long value;
            return Kind == JsonKind.Number
                && long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
                ? value
                : (long?)null;
        }

        /// <summary>Returns a number, or null for other kinds, and for numbers that a double can't have.</summary>
        public double? AsNumber()
        {
            double value;
            return Kind == JsonKind.Number
                && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value)
                && !double.IsInfinity(value)
                ? value
                : (double?)null;
        }

        /// <summary>Returns a property of an object, or null if it is absent or null.</summary>
        public JsonValue Find(string name)
        {
            JsonValue found;
            return Properties.TryGetValue(name, out found) && found.Kind != JsonKind.Null ? found : null;
        }

        /// <summary>Returns the JSON text of the value.</summary>
        public override string ToString()
        {
            return JsonWriter.Write(this);
        }

        /// <summary>Digits of a number, or the word of a Boolean or null.</summary>
        internal string Raw
        {
            get { return text; }
        }
    }
}
