import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { Refusal } from '../platform/refusal.ts';

/** Latest load of demo data for a live publisher. */
export interface DemoLoad {
  /** Sandbox that is being filled or was filled; null if the load failed. */
  sandboxId: string | null;
  /** Number of finished steps. */
  step: number;
  startedAt: Date;
  isRunning: boolean;
}

/** Time without progress before a load counts as abandoned. A step takes a second or two. */
const abandonedAfterMs = 120_000;

/**
 * Starts a load unless one is already running. Concurrent callers wait for each other's commits.
 * @returns the sandbox left behind by an abandoned load, or null if there is none; undefined if a load is running
 */
export async function startDemoLoad(tx: Tx, publisherId: string): Promise<string | null | undefined> {
  const now = await readMoment(tx);
  await tx
    .insertInto('demo_load')
    .values({ publisher_id: publisherId, step: 0, started_at: now, renewed_at: now, ended_at: now })
    .onConflict((conflict) => conflict.column('publisher_id').doNothing())
    .execute();
  const last = await tx
    .selectFrom('demo_load')
    .select(['sandbox_id', 'renewed_at', 'ended_at'])
    .where('publisher_id', '=', publisherId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (isRunning(last, now)) return undefined;
  await tx
    .updateTable('demo_load')
    .set({ sandbox_id: null, step: 0, started_at: now, renewed_at: now, ended_at: null })
    .where('publisher_id', '=', publisherId)
    .execute();
  return last.ended_at === null ? last.sandbox_id : null;
}

/** Saves which sandbox a load is filling. */
export async function setDemoSandbox(tx: Tx, publisherId: string, sandboxId: string): Promise<void> {
  await tx
    .updateTable('demo_load')
    .set({ sandbox_id: sandboxId })
    .where('publisher_id', '=', publisherId)
    .execute();
}

interface OfLoad {
  publisherId: string;
  sandboxId: string;
}

/** Saves the number of finished steps. @throws Refusal Conflict if another load has replaced this one */
export async function continueDemoLoad(db: Db | Tx, load: OfLoad, step: number): Promise<void> {
  const now = await readMoment(db);
  const { numUpdatedRows } = await db
    .updateTable('demo_load')
    .set({ step, renewed_at: now })
    .where('publisher_id', '=', load.publisherId)
    .where('sandbox_id', '=', load.sandboxId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Refusal('Conflict', 'The demo data is being loaded by another request. Reload the page.');
}

/** Ends a load. Has no effect if another load has replaced it. */
export async function endDemoLoad(tx: Tx, load: OfLoad, hasFailed: boolean): Promise<void> {
  const now = await readMoment(tx);
  await tx
    .updateTable('demo_load')
    .set({ ended_at: now, sandbox_id: hasFailed ? null : load.sandboxId })
    .where('publisher_id', '=', load.publisherId)
    .where('sandbox_id', '=', load.sandboxId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Returns the latest load of demo data; null if there was none. */
export async function readDemoLoad(db: Db, publisherId: string): Promise<DemoLoad | null> {
  const row = await db
    .selectFrom('demo_load')
    .select(['sandbox_id', 'step', 'started_at', 'renewed_at', 'ended_at'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    sandboxId: row.sandbox_id,
    step: row.step,
    startedAt: row.started_at,
    isRunning: isRunning(row, await readMoment(db)),
  };
}

const isRunning = (
  { ended_at, renewed_at }: { ended_at: Date | null; renewed_at: Date },
  now: Date,
): boolean => ended_at === null && now.getTime() - renewed_at.getTime() < abandonedAfterMs;
