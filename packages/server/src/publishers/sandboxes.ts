import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { aheadMs } from './publisher-time.ts';

/** Open sandbox with the live publisher it was copied from. */
export interface Sandbox {
  publisherId: string;
  name: string;
  live: { publisherId: string; name: string };
  copiedAt: Date;
  /** Time by which the sandbox's clock is ahead of the service's clock, in milliseconds. */
  aheadMs: number;
}

interface Row {
  publisher_id: string;
  name: string;
  sandbox_of: string | null;
  sandbox_id: string | null;
  created_at: Date;
  ahead_ms: bigint;
}

/**
 * Returns the open sandbox of a live publisher or, if the publisher is itself an open sandbox, that sandbox.
 * @returns null for a live publisher without a sandbox, or for a closed sandbox
 */
export async function findSandbox(db: Db | Tx, publisherId: string): Promise<Sandbox | null> {
  const here = await readRow(db, publisherId);
  const otherId = here?.sandbox_of ?? here?.sandbox_id ?? null;
  const other = otherId === null ? null : await readRow(db, otherId);
  if (here === null || other === null) return null;
  const [sandbox, live] = here.sandbox_of === null ? [other, here] : [here, other];
  if (live.sandbox_id !== sandbox.publisher_id) return null;
  return {
    publisherId: sandbox.publisher_id,
    name: sandbox.name,
    live: { publisherId: live.publisher_id, name: live.name },
    copiedAt: sandbox.created_at,
    aheadMs: Number(sandbox.ahead_ms),
  };
}

/**
 * Returns the open sandboxes by live publisher.
 * @param publisherIds only a few, such as one person's publishers
 */
export async function openSandboxesOf(
  db: Db,
  publisherIds: readonly string[],
): Promise<ReadonlyMap<string, Sandbox>> {
  if (publisherIds.length === 0) return new Map();
  const having = await db
    .selectFrom('publisher')
    .select('publisher_id')
    .where('publisher_id', 'in', publisherIds)
    .where('sandbox_id', 'is not', null)
    .execute();
  const found = await Promise.all(having.map(({ publisher_id }) => findSandbox(db, publisher_id)));
  return new Map(found.flatMap((sandbox) => (sandbox === null ? [] : [[sandbox.live.publisherId, sandbox]])));
}

/** Returns the live publisher of an open or closed sandbox, or null for a live publisher. */
export const liveOf = async (db: Db | Tx, publisherId: string): Promise<string | null> =>
  (await readRow(db, publisherId))?.sandbox_of ?? null;

/** Returns the publishers that are sandboxes, open or closed. @param publisherIds only a few */
export async function sandboxesAmong(
  db: Db | Tx,
  publisherIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (publisherIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('publisher')
    .select('publisher_id')
    .where('publisher_id', 'in', publisherIds)
    .where('sandbox_of', 'is not', null)
    .execute();
  return new Set(rows.map(({ publisher_id }) => publisher_id));
}

/**
 * Returns the publisher whose staff has access. For an open sandbox, this is its live publisher; for a closed
 * sandbox, null.
 */
export async function teamOf(db: Db | Tx, publisherId: string): Promise<string | null> {
  if ((await liveOf(db, publisherId)) === null) return publisherId;
  return (await findSandbox(db, publisherId))?.live.publisherId ?? null;
}

/**
 * Throws if the publisher is a sandbox, because its staff and tokens belong to the live publisher. @throws
 * Refusal Conflict
 */
export async function refuseSandbox(db: Db | Tx, publisherId: string): Promise<void> {
  const live = await liveOf(db, publisherId);
  if (live !== null)
    throw new Refusal(
      'Conflict',
      `A sandbox uses the team of its live publisher. Change the team of ${live} instead.`,
    );
}

async function readRow(db: Db | Tx, publisherId: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select p.publisher_id, p.name, p.sandbox_of, p.sandbox_id, p.created_at, ${aheadMs(publisherId)} as ahead_ms
    from publisher p
    where p.publisher_id = ${publisherId}`.execute(db);
  return rows[0] ?? null;
}
