import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { secretPlace } from './connector-record.ts';
import { bodyPlace } from './events/event-record.ts';

const eventsAtOnce = 200;

interface Counts {
  sealed: number;
  lost: number;
}

/**
 * Reseals the secrets of connectors, and what arrived and is still stored, with the first key. Each publisher's secrets have a commit
 * and an audit entry, and what arrived has commits of its own.
 * @returns the number of texts that were sealed, and of those that none of the keys can open
 */
export async function resealConnectors(db: Db, sealer: Sealer, actor: Actor): Promise<Counts> {
  const counts = { sealed: 0, lost: 0 };
  const add = ({ sealed, lost }: Counts): void => {
    counts.sealed += sealed;
    counts.lost += lost;
  };
  const prefix = `${sealer.currentPrefix}%`;
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from connector order by publisher_id`.execute(db);
  for (const { publisher_id: publisherId } of rows) {
    add(await inTransaction(db, (tx) => resealSecrets(tx, sealer, actor, { publisherId, prefix })));
    for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
      const from: string = after;
      const set = await inTransaction(db, (tx) =>
        resealBodies(tx, sealer, { publisherId, prefix, after: from }),
      );
      add(set);
      after = set.last;
    }
  }
  return counts;
}

async function resealSecrets(
  tx: Tx,
  sealer: Sealer,
  actor: Actor,
  { publisherId, prefix }: { publisherId: string; prefix: string },
): Promise<Counts> {
  const { rows } = await sql<{ connector_id: string; secret: string; previous_secret: string | null }>`
    select connector_id, secret, previous_secret
    from connector
    where publisher_id = ${publisherId} and secret is not null
      and (secret not like ${prefix} or previous_secret not like ${prefix})
    order by connector_id
    for update`.execute(tx);
  const known = rows.filter((row) =>
    [row.secret, row.previous_secret].every(
      (text) => text === null || sealer.stateOf(text) !== 'unknown-key',
    ),
  );
  for (const { connector_id: connectorId, secret, previous_secret } of known) {
    const place = secretPlace({ publisherId, connectorId });
    const reseal = (text: string): string => sealer.seal(sealer.openUncached(text, place), place);
    await tx
      .updateTable('connector')
      .set({
        secret: reseal(secret),
        previous_secret: previous_secret === null ? null : reseal(previous_secret),
      })
      .where('publisher_id', '=', publisherId)
      .where('connector_id', '=', connectorId)
      .execute();
  }
  if (known.length > 0)
    await recordChange(tx, actor, {
      publisherId,
      action: 'connector.reseal',
      target: `publisher:${publisherId}`,
      after: { connectors: known.map(({ connector_id }) => connector_id) },
    });
  return { sealed: known.length, lost: rows.length - known.length };
}

async function resealBodies(
  tx: Tx,
  sealer: Sealer,
  { publisherId, prefix, after }: { publisherId: string; prefix: string; after: string },
): Promise<Counts & { last: string | null }> {
  const { rows } = await sql<{ connector_event_id: string; body: string }>`
    select connector_event_id, body
    from connector_event
    where publisher_id = ${publisherId} and body is not null and body not like ${prefix}
      and connector_event_id > ${after}::uuid
    order by connector_event_id
    limit ${eventsAtOnce}
    for update`.execute(tx);
  const known = rows.filter(({ body }) => sealer.stateOf(body) !== 'unknown-key');
  for (const { connector_event_id: eventId, body } of known) {
    const place = bodyPlace(publisherId, eventId);
    await tx
      .updateTable('connector_event')
      .set({ body: sealer.seal(sealer.openUncached(body, place), place) })
      .where('publisher_id', '=', publisherId)
      .where('connector_event_id', '=', eventId)
      .execute();
  }
  const last = rows.at(-1)?.connector_event_id ?? null;
  return { sealed: known.length, lost: rows.length - known.length, last };
}
