/** The longest JSON of facts. PostgreSQL writes it with a space after each comma and colon, in less than 100,000. */
const longestFacts = 60_000;
/** Of one fact among too many or too long ones; enough to see what it was. */
const longestFact = 1_000;

/**
 * A text as an entry can hold it, whatever it is: what PostgreSQL cannot store is replaced, and what is too long is cut
 * between two characters. So no text makes the change fail that the entry is of.
 * @param longest in UTF-16 code units, of which a character has one or two
 */
export function bounded(text: string, longest: number): string {
  const cut = text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, longest);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Facts as the JSON that an entry holds: of facts that are too long together, the first, each cut. */
export function boundedFacts(facts: Readonly<Record<string, unknown>>): string {
  const text = asJson(facts);
  if (text.length <= longestFacts) return text;
  const kept: [string, unknown][] = [];
  let length = 0;
  for (const [name, value] of Object.entries(facts)) {
    const fact = asJson(value);
    const short = fact.length <= longestFact ? value : `${bounded(fact, longestFact)}…`;
    const entry: [string, unknown] = [bounded(name, longestFact), short];
    length += asJson(entry).length;
    if (length > longestFacts - longestFact) {
      kept.push(['…', `${Object.keys(facts).length - kept.length} more`]);
      break;
    }
    kept.push(entry);
  }
  return asJson(Object.fromEntries(kept));
}

/** jsonb takes any JSON but for two characters: U+0000 and half a pair. */
const asJson = (value: unknown): string =>
  (JSON.stringify(value, asPlain) ?? 'null').replaceAll(escapes, (escaped) =>
    unstorable.test(escaped) ? '\ufffd' : escaped,
  );

const escapes = /\\(?:u[0-9a-f]{4}|.)/g;
const unstorable = /^\\u(?:0000|d[89a-f])/;

/** Amounts are texts, as everywhere beside the contract's API; and a number that is written out is no longer than one. */
function asPlain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && /e/.test(String(value))) return String(value);
  return value;
}
