using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace CreatorAttribution
{
    /// <summary>Reads JSON text strictly (RFC 8259). If a property is repeated, its last value counts.</summary>
    public sealed class JsonReader
    {
        /// <summary>Maximum depth of arrays and objects, so that a response can't exhaust the stack.</summary>
        public const int MaxDepth = 64;

        private readonly string text;
        private int position;

        private JsonReader(string text)
        {
            this.text = text;
        }

        /// <exception cref="FormatException">The text is not JSON.</exception>
        public static JsonValue Read(string text)
        {
            var reader = new JsonReader(text);
            var value = reader.ReadValue(0);
            reader.SkipSpace();
            if (reader.position < text.Length)
                throw reader.Fault();
            return value;
        }

        private JsonValue ReadValue(int depth)
        {
            SkipSpace();
            if (depth > MaxDepth || position >= text.Length)
                throw Fault();
            switch (text[position])
            {
                case '{':
                    return ReadObject(depth);
                case '[':
                    return ReadArray(depth);
                case '"':
                    return JsonValue.Of(ReadText());
                case 't':
                    return ReadWord("true", JsonValue.Of(true));
                case 'f':
                    return ReadWord("false", JsonValue.Of(false));
                case 'n':
                    return ReadWord("null", JsonValue.Null);
                default:
                    return ReadNumber();
            }
        }

        private JsonValue ReadObject(int depth)
        {
            var properties = new Dictionary<string, JsonValue>();
            position++;
            SkipSpace();
            if (Takes('}'))
                return JsonValue.Of(properties);
            do
            {
                SkipSpace();
                if (position >= text.Length || text[position] != '"')
                    throw Fault();
                var name = ReadText();
                SkipSpace();
                Expect(':');
                properties[name] = ReadValue(depth + 1);
                SkipSpace();
            }
            while (Takes(','));
            Expect('}');
            return JsonValue.Of(properties);
        }

        private JsonValue ReadArray(int depth)
        {
            var items = new List<JsonValue>();
            position++;
            SkipSpace();
            if (Takes(']'))
                return JsonValue.Of(items);
            do
            {
                items.Add(ReadValue(depth + 1));
                SkipSpace();
            }
            while (Takes(','));
            Expect(']');
            return JsonValue.Of(items);
        }

        private JsonValue ReadWord(string word, JsonValue value)
        {
            if (string.CompareOrdinal(text, position, word, 0, word.Length) != 0)
                throw Fault();
            position += word.Length;
            return value;
        }

        private JsonValue ReadNumber()
        {
            var start = position;
            Takes('-');
            if (!Takes('0'))
                SkipDigits();
            if (Takes('.'))
                SkipDigits();
            if (Takes('e') || Takes('E'))
            {
                if (!Takes('+'))
                    Takes('-');
                SkipDigits();
            }
            return JsonValue.OfNumber(text.Substring(start, position - start));
        }

        private string ReadText()
        {
            var builder = new StringBuilder();
            position++;
            while (position < text.Length)
            {
                var character = text[position++];
                if (character == '"')
                    return builder.ToString();
                if (character < ' ')
                    throw Fault();
                builder.Append(character == '\\' ? ReadEscape() : character);
            }
            throw Fault();
        }

        private char ReadEscape()
        {
            if (position >= text.Length)
                throw Fault();
            var character = text[position++];
            var index = "\"\\/bfnrt".IndexOf(character);
            if (index >= 0)
                return "\"\\/\b\f\n\r\t"[index];
            int code;
            if (character != 'u' || position + 4 > text.Length
                || !int.TryParse(text.Substring(position, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                throw Fault();
            position += 4;
            return (char)code;
        }

        private void SkipSpace()
        {
            while (position < text.Length && " \t\n\r".IndexOf(text[position]) >= 0)
                position++;
        }

        private void SkipDigits()
        {
            var start = position;
            while (position < text.Length && text[position] >= '0' && text[position] <= '9')
                position++;
            if (position == start)
                throw Fault();
        }

        private bool Takes(char character)
        {
            if (position >= text.Length || text[position] != character)
                return false;
            position++;
            return true;
        }

        private void Expect(char character)
        {
            if (!Takes(character))
                throw Fault();
        }

        private FormatException Fault()
        {
            return new FormatException("The JSON is malformed at character " + position + ".");
        }
    }
}
