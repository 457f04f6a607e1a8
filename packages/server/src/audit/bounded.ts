/**
 * Maximum length of all facts together, as JSON. Even with the space that PostgreSQL adds after each comma
 * and colon, the result is below the table's limit of 100,000.
 */
const maxFactsLength = 60_000;
/**
 * Maximum length of each fact, as JSON, if all facts together are too long. This length is enough to
 * recognize the fact.
 */
const maxFactLength = 1_000;

/**
 * Makes any text storable by replacing characters that PostgreSQL can't store and truncating long text
 * without splitting a character. The text of an audit entry therefore never causes the change itself to fail.
 * @param maxLength in UTF-16 code units; a character has one or two
 */
export function bounded(text: string, maxLength: number): string {
  const cut = text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, maxLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/**
 * Serializes facts for an entry. If all facts together are too long, truncates each fact and drops facts from
 * the end.
 */
export function boundedFacts(facts: Readonly<Record<string, unknown>>): string {
  const text = asJson(facts);
  if (text.length <= maxFactsLength) return text;
  const included: [string, unknown][] = [];
  let length = 0;
  for (const [name, value] of Object.entries(facts)) {
    const fact = asJson(value);
    const short = fact.length <= maxFactLength ? value : `${bounded(fact, maxFactLength)}…`;
    const entry: [string, unknown] = [bounded(name, maxFactLength), short];
    length += asJson(entry).length;
    if (length > maxFactsLength - maxFactLength) {
      included.push(['…', `${Object.keys(facts).length - included.length} more`]);
      break;
    }
    included.push(entry);
  }
  return asJson(Object.fromEntries(included));
}

/** Serializes a value as JSON without U+0000 or lone surrogates, which jsonb rejects. */
const asJson = (value: unknown): string =>
  (JSON.stringify(value, asPlain) ?? 'null').replaceAll(escapes, (escaped) =>
    unstorable.test(escaped) ? '\ufffd' : escaped,
  );

const escapes = /\\(?:u[0-9a-f]{4}|.)/g;
const unstorable = /^\\u(?:0000|d[89a-f])/;

/**
 * Converts amounts (bigints) to strings, as everywhere except in the contract's API. Numbers with an exponent
 * also become strings, because jsonb would write out all their digits.
 */
function asPlain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && /e/.test(String(value))) return String(value);
  return value;
}
