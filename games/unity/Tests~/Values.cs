using System.Collections;
using System.Collections.Generic;

namespace CreatorAttribution.Tests
{
    /// <summary>Converts models back to JSON, so that tests can compare them with what the service sent.</summary>
    public static class Values
    {
        public static JsonValue Of(object value)
        {
            if (value == null)
                return JsonValue.Null;
            if (value is JsonValue)
                return (JsonValue)value;
            if (value is string)
                return JsonValue.Of((string)value);
            if (value is bool)
                return JsonValue.Of((bool)value);
            if (value is int || value is long)
                return JsonValue.Of(System.Convert.ToInt64(value));
            if (value is double)
                return JsonValue.Of((double)value);
            if (value is IDictionary<string, object>)
                return OfProperties((IDictionary<string, object>)value);
            if (value is IEnumerable)
            {
                var items = new List<JsonValue>();
                foreach (var item in (IEnumerable)value)
                    items.Add(Of(item));
                return JsonValue.Of(items);
            }
            var properties = new Dictionary<string, object>();
            foreach (var property in value.GetType().GetProperties())
                properties[NameOf(property.Name)] = property.GetValue(value, null);
            return OfProperties(properties);
        }

        private static JsonValue OfProperties(IDictionary<string, object> values)
        {
            var properties = new Dictionary<string, JsonValue>();
            foreach (var each in values)
                if (each.Value != null)
                    properties[each.Key] = Of(each.Value);
            return JsonValue.Of(properties);
        }

        private static string NameOf(string property)
        {
            return property == "CodeTtlInDays" ? "codeTTLInDays" : char.ToLowerInvariant(property[0]) + property.Substring(1);
        }
    }
}
