import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChanges } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { secretPlace } from './secrets.ts';

const rowsAtOnce = 200;

interface StoredRow {
  publisher_id: string;
  endpoint_id: EndpointId;
  secret: string;
  next_secret: string | null;
}

/**
 * Seals anew the secrets of endpoints that the sealer's first key did not seal, in sets with a commit each: what is
 * broken off goes on where it was when it is run again. Each commit has an entry of the audit log for each publisher.
 * @returns how many endpoints it sealed, and how many none of its keys opens
 */
export async function resealEndpoints(
  db: Db,
  sealer: Sealer,
  actor: Actor,
): Promise<{ sealed: number; lost: number }> {
  const counts = { sealed: 0, lost: 0 };
  const sealedAlready = `${sealer.currentPrefix}%`;
  let after = { publisher_id: '', endpoint_id: '' };
  for (;;) {
    const { last, sealed, lost } = await inTransaction(db, async (tx) => {
      const { rows: found } = await sql<StoredRow>`
        select publisher_id, endpoint_id, secret, next_secret
        from webhook_endpoint
        where (publisher_id, endpoint_id) > (${after.publisher_id}, ${after.endpoint_id})
          and (secret not like ${sealedAlready} or next_secret not like ${sealedAlready})
        order by publisher_id, endpoint_id
        limit ${rowsAtOnce}
        for update`.execute(tx);
      const fresh = found.flatMap((row) => resealed(row, sealer));
      await sql`
        update webhook_endpoint p
        set secret = s.secret, next_secret = s.next_secret
        from unnest(
               ${fresh.map((row) => row.publisher_id)}::text[], ${fresh.map((row) => row.endpoint_id)}::text[],
               ${fresh.map((row) => row.secret)}::text[], ${fresh.map((row) => row.next_secret)}::text[]
             ) as s (publisher_id, endpoint_id, secret, next_secret)
        where p.publisher_id = s.publisher_id and p.endpoint_id = s.endpoint_id`.execute(tx);
      const byPublisher = Map.groupBy(fresh, (row) => row.publisher_id);
      const changes = [...byPublisher].map(([publisherId, own]) => ({
        publisherId,
        action: 'webhook-endpoint.reseal',
        target: `publisher:${publisherId}`,
        after: { endpoints: own.map((row) => row.endpoint_id) },
      }));
      await recordChanges(tx, actor, changes);
      return { last: found.at(-1), sealed: fresh.length, lost: found.length - fresh.length };
    });
    // Not before the commit: what was tried again counts once.
    counts.sealed += sealed;
    counts.lost += lost;
    if (last === undefined) return counts;
    after = last;
  }
}

/** @returns nothing for a row that cannot be opened */
function resealed(row: StoredRow, sealer: Sealer): StoredRow[] {
  const { secret, next_secret: next } = row;
  const stored = next === null ? [secret] : [secret, next];
  if (stored.some((each) => sealer.stateOf(each) === 'unknown-key')) return [];
  const place = secretPlace(row.publisher_id, row.endpoint_id);
  const anew = (text: string): string => sealer.seal(sealer.open(text, place), place);
  return [{ ...row, secret: anew(secret), next_secret: next === null ? null : anew(next) }];
}
