using System;
using System.Collections.Generic;

namespace CreatorAttribution
{
    /// <summary>Reads properties of responses. What is required and absent is a FormatException.</summary>
    internal static class Fields
    {
        public static string Text(this JsonValue value, string name)
        {
            return value.Find(name)?.AsText() ?? throw Missing(name);
        }

        public static string TextOrNull(this JsonValue value, string name)
        {
            return value.Find(name)?.AsText();
        }

        public static long Integer(this JsonValue value, string name)
        {
            return value.Find(name)?.AsInteger() ?? throw Missing(name);
        }

        public static long? IntegerOrNull(this JsonValue value, string name)
        {
            return value.Find(name)?.AsInteger();
        }

        public static double Number(this JsonValue value, string name)
        {
            return value.Find(name)?.AsNumber() ?? throw Missing(name);
        }

        public static bool Boolean(this JsonValue value, string name)
        {
            return value.Find(name)?.AsBoolean() ?? throw Missing(name);
        }

        public static T Object<T>(this JsonValue value, string name, Func<JsonValue, T> read)
        {
            return read(value.Find(name) ?? throw Missing(name));
        }

        public static T ObjectOrNull<T>(this JsonValue value, string name, Func<JsonValue, T> read)
            where T : class
        {
            var found = value.Find(name);
            return found == null ? null : read(found);
        }

        public static IReadOnlyList<T> List<T>(this JsonValue value, string name, Func<JsonValue, T> read)
        {
            var found = value.Find(name);
            if (found == null || found.Kind != JsonKind.Array)
                throw Missing(name);
            var items = new List<T>(found.Items.Count);
            foreach (var item in found.Items)
                items.Add(read(item));
            return items;
        }

        private static FormatException Missing(string name)
        {
            return new FormatException("The response has no valid " + name + ".");
        }
    }
}
