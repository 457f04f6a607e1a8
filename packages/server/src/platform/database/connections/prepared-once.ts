import { hash } from 'node:crypto';
import { sql } from 'kysely';

const mark = '/* prepared once */';

/**
 * Start of a large statement that each connection prepares once. Planning it takes several times as long as running it. It must
 * have few different texts, because a connection keeps all that it has prepared.
 */
export const preparedOnce = sql.raw(mark);

/** Returns the arguments of a query, with a name if its text begins with `preparedOnce`. */
export function withName(args: readonly unknown[]): unknown[] {
  const [text, values, ...rest] = args;
  if (typeof text !== 'string' || !text.startsWith(mark)) return [...args];
  return [{ name: hash('sha1', text), text, values }, ...rest];
}
