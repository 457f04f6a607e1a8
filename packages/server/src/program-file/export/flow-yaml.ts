/** JSON data, which fits on one line of YAML. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * Writes a value as one line of YAML in flow style. Unambiguous text is written without quotes; other text is written
 * as in JSON.
 */
export function flowYaml(value: Plain): string {
  if (typeof value === 'string') return textYaml(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return value.length === 0 ? '[]' : `[${value.map(flowYaml).join(', ')}]`;
  const entries = Object.entries(value).map(([name, each]) => `${textYaml(name)}: ${flowYaml(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const isList = (value: object): value is readonly Plain[] => Array.isArray(value);

const word = /^[A-Za-z](?:[A-Za-z0-9_./ -]{0,62}[A-Za-z0-9_])?$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Words that some YAML parsers don't read as text. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const textYaml = (text: string): string =>
  (word.test(text) && !reserved.test(text)) || dateTime.test(text) ? text : quoted(text);

/** Writes text in quotes. JSON only escapes control characters below U+0020, but YAML requires more to be escaped. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
