/** What YAML can say in one line: data of JSON. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * A value in one line of YAML, in its flow style: texts stand without quotes where nothing else can be meant, and as
 * JSON does everywhere else.
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
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Words that some reader of YAML takes for something else. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const textYaml = (text: string): string =>
  (word.test(text) && !reserved.test(text)) || moment.test(text) ? text : quoted(text);

/** JSON escapes what is below a space; YAML wants more characters escaped. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
