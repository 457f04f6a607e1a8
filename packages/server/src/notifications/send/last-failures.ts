import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/**
 * Returns the reason why the latest notification couldn't be sent, for each recipient whose latest one wasn't. Reads
 * backward from the publisher's newest notification, of which 90 days are stored.
 */
export async function lastFailures(
  db: Db | Tx,
  publisherId: string,
  recipients: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (recipients.length === 0) return new Map();
  const { rows } = await sql<{ recipient: string; error: string }>`
    select named.recipient, latest.error
    from unnest(${[...recipients]}::text[]) as named (recipient)
    cross join lateral (
      select n.error
      from notification n
      where n.publisher_id = ${publisherId} and n.recipient = named.recipient
        and n.attempt_count > 0 and n.status <> 'Nothing'
        and (n.status <> 'Waiting' or n.error is not null)
      order by n.notification_id desc
      limit 1
    ) latest
    where latest.error is not null`.execute(db);
  return new Map(rows.map(({ recipient, error }) => [recipient, error]));
}
