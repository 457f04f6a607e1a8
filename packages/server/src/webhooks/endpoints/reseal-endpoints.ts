import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
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

interface Counts {
  sealed: number;
  lost: number;
}

/**
 * Reseals endpoints' secrets with the sealer's first key if they were sealed with another. Works through the publishers
 * in batches, each with its own commit and audit entry, so a later run picks up where an interrupted run left off.
 * @returns the number of endpoints resealed, and the number whose secrets can't be opened with any key
 */
export async function resealEndpoints(db: Db, sealer: Sealer, actor: Actor): Promise<Counts> {
  const counts = { sealed: 0, lost: 0 };
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from webhook_endpoint
    where ${needResealing(sealer)}
    order by publisher_id`.execute(db);
  for (const { publisher_id } of rows) {
    let after: string | null = '';
    while (after !== null) {
      const from: string = after;
      const set = await inTransaction(db, (tx) =>
        resealSet(tx, sealer, actor, { publisherId: publisher_id, after: from }),
      );
      // Count the endpoints after the commit, so that a retried transaction counts only once.
      counts.sealed += set.sealed;
      counts.lost += set.lost;
      after = set.last;
    }
  }
  return counts;
}

const needResealing = ({ currentPrefix }: Sealer): RawBuilder<unknown> => sql`
  (secret not like ${`${currentPrefix}%`} or next_secret not like ${`${currentPrefix}%`})`;

/**
 * Reseals one batch of a publisher's endpoints. Returns the last endpoint in the batch, to continue after;
 * null when no endpoints are left.
 */
async function resealSet(
  tx: Tx,
  sealer: Sealer,
  actor: Actor,
  { publisherId, after }: { publisherId: string; after: string },
): Promise<Counts & { last: EndpointId | null }> {
  const { rows: found } = await sql<StoredRow>`
    select publisher_id, endpoint_id, secret, next_secret
    from webhook_endpoint
    where publisher_id = ${publisherId} and endpoint_id > ${after} and ${needResealing(sealer)}
    order by endpoint_id
    limit ${rowsAtOnce}
    for update`.execute(tx);
  const fresh = found.flatMap((row) => resealed(row, sealer));
  if (fresh.length > 0) {
    const endpointIds = fresh.map((row) => row.endpoint_id);
    await sql`
      update webhook_endpoint p
      set secret = s.secret, next_secret = s.next_secret
      from unnest(
             ${endpointIds}::text[], ${fresh.map((row) => row.secret)}::text[], ${fresh.map((row) => row.next_secret)}::text[]
           ) as s (endpoint_id, secret, next_secret)
      where p.publisher_id = ${publisherId} and p.endpoint_id = s.endpoint_id`.execute(tx);
    await recordChange(tx, actor, {
      publisherId,
      action: 'webhook-endpoint.reseal',
      target: `publisher:${publisherId}`,
      after: { endpoints: endpointIds },
    });
  }
  return { last: found.at(-1)?.endpoint_id ?? null, sealed: fresh.length, lost: found.length - fresh.length };
}

/** Returns the row with its secrets resealed, or an empty list if they can't be opened. */
function resealed(row: StoredRow, sealer: Sealer): StoredRow[] {
  const { secret, next_secret: next } = row;
  const stored = next === null ? [secret] : [secret, next];
  if (stored.some((each) => sealer.stateOf(each) === 'unknown-key')) return [];
  const place = secretPlace(row.publisher_id, row.endpoint_id);
  const reseal = (text: string): string => sealer.seal(sealer.open(text, place), place);
  return [{ ...row, secret: reseal(secret), next_secret: next === null ? null : reseal(next) }];
}
