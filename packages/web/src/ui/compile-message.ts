import type { CompiledMessage } from '@lingui/message-utils/compileMessage';

type Token = Exclude<CompiledMessage, string>[number];

/**
 * Compiles an ICU message into the text library's form. Supports only what the screens use: `{name}`,
 * `{count, number}`, `plural`, `selectordinal`, `select` with `#`, and quoting with apostrophes. The
 * library's own compiler would add 7 kB to the first script, most of it for dates. A test compares the two
 * compilers for every message.
 * @throws if the message is malformed
 */
export function compileMessage(message: string): CompiledMessage {
  const reader = { text: message, at: 0 };
  const tokens = readTokens(reader, { isInPlural: false, isNested: false });
  return tokens as CompiledMessage;
}

interface Reader {
  text: string;
  at: number;
}

interface Place {
  /** True inside a plural, where `#` is replaced by the number. */
  isInPlural: boolean;
  /** True inside braces, where a closing brace ends the text. */
  isNested: boolean;
}

function readTokens(reader: Reader, { isInPlural, isNested }: Place): Token[] {
  const tokens: Token[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') tokens.push(text);
    text = '';
  };
  for (; reader.at < reader.text.length; reader.at += 1) {
    const sign = reader.text[reader.at] ?? '';
    if (sign === "'") text += readQuoted(reader, isInPlural);
    else if (sign === '{') {
      endText();
      tokens.push(readArgument(reader, isInPlural));
    } else if (sign === '}') {
      if (!isNested) throw new Error(`unexpected closing brace in: ${reader.text}`);
      break;
    } else if (sign === '#' && isInPlural) {
      endText();
      tokens.push('#');
    } else text += sign;
  }
  endText();
  return tokens;
}

/**
 * Reads text starting at an apostrophe. `''` is a literal apostrophe. An apostrophe before a brace quotes the
 * text up to the next apostrophe.
 */
function readQuoted(reader: Reader, isInPlural: boolean): string {
  const { text, at } = reader;
  const next = text[at + 1] ?? '';
  if (next === "'") {
    reader.at += 1;
    return "'";
  }
  if (!'{}'.includes(next || '-') && !(isInPlural && next === '#')) return "'";
  const [, quoted = ''] = /^'((?:[^']|'')*)(?:'|$)/.exec(text.slice(at)) ?? [];
  reader.at += quoted.length + 1;
  return quoted.replaceAll("''", "'");
}

function readArgument(reader: Reader, isInPlural: boolean): Token {
  const [found, name = '', kind, format] =
    /^\{\s*(\w+)\s*(?:,\s*(\w+)\s*(?:,\s*([^{}]*?)\s*(?=\}))?)?/.exec(reader.text.slice(reader.at)) ?? [];
  if (found === undefined) throw new Error(`expected a variable at position ${reader.at} of: ${reader.text}`);
  reader.at += found.length;
  const end = reader.text[reader.at];
  if (kind === 'plural' || kind === 'selectordinal' || kind === 'select')
    return [name, kind, readChoices(reader, isInPlural || kind !== 'select')];
  if (end !== '}') throw new Error(`missing closing brace after {${name} in: ${reader.text}`);
  if (kind === undefined) return [name];
  return format === undefined ? [name, kind] : [name, kind, format];
}

function readChoices(reader: Reader, isInPlural: boolean): Extract<Token, unknown[]>[2] {
  const choices: Record<string, unknown> = { offset: undefined };
  const rest = (): string => reader.text.slice(reader.at);
  reader.at += /^[\s,]*/.exec(rest())?.[0].length ?? 0;
  const [offset, by] = /^offset:\s*(\d+)\s*/.exec(rest()) ?? [];
  if (offset !== undefined) {
    choices.offset = Number(by);
    reader.at += offset.length;
  }
  for (;;) {
    const [found, key = ''] = /^\s*=?(\w+)\s*\{/.exec(rest()) ?? [];
    if (found === undefined) break;
    reader.at += found.length;
    choices[key] = readTokens(reader, { isInPlural, isNested: true });
    reader.at += 1;
  }
  reader.at += /^\s*/.exec(rest())?.[0].length ?? 0;
  if (reader.text[reader.at] !== '}' || choices.other === undefined)
    throw new Error(`missing closing brace, or no choice "other", in: ${reader.text}`);
  return choices as Extract<Token, unknown[]>[2];
}
