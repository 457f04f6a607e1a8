import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { recordingOf } from '../../src/attributions/posted.ts';
import { type Db, openDatabase } from '../../src/platform/database/database.ts';
import { cancelPayout } from '../../src/settlement/payouts/cancel-payout.ts';
import { createPayout } from '../../src/settlement/payouts/create/create-payout.ts';
import { type LedgerVerdict, verifyLedger } from '../../src/settlement/verify/verify-ledger.ts';
import { operations } from '../money.ts';
import { testActor } from '../test-actor.ts';

export interface Payouts {
  /** Counts of acknowledged operations, and of payouts that were found unfinished. */
  counts: Record<'created' | 'paid' | 'cancelled' | 'interrupted' | 'left', number>;
  /** Verifications that failed while a payout was unfinished. */
  unexplained: LedgerVerdict[];
  stop(): Promise<void>;
}

const maxWaitMs = 20_000;

/** Creates and finishes payouts repeatedly. Payouts interrupted by kills are retried later. */
export function startPayouts(connection: pg.ClientConfig, publisherId: string): Payouts {
  const { db, close } = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'crash-payouts',
  });
  const counts = { created: 0, paid: 0, cancelled: 0, interrupted: 0, left: 0 };
  const unexplained: LedgerVerdict[] = [];
  let isStopping = false;
  const whole = { publisherId, groupId: 'main', currency: null, asOf: null };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        if (await expireLeases(db)) {
          counts.left += 1;
          const verdict = await verifyLedger(db);
          if (!verdict.isSound) unexplained.push(verdict);
        }
        for (const { batchId } of (await createPayout(db, testActor, whole)).payouts) {
          counts.created += 1;
          // Every third payout stays Created. The others are paid or canceled, whichever has happened less often, because
          // few operations succeed between the kills.
          if (counts.created % 3 === 0) continue;
          if (counts.paid <= counts.cancelled) {
            await operations.markPayoutPaid(db, testActor, { publisherId, payoutId: batchId });
            counts.paid += 1;
          } else {
            await cancelPayout(db, testActor, { publisherId, payoutId: batchId, reason: null });
            counts.cancelled += 1;
          }
        }
      } catch {
        counts.interrupted += 1;
      }
      await sleep(100);
    }
  };
  const running = run();
  return {
    counts,
    unexplained,
    async stop() {
      // On a slow machine, all attempts may have been interrupted so far. Unpaid rows remain for more attempts.
      const deadline = performance.now() + maxWaitMs;
      while ((counts.paid === 0 || counts.cancelled === 0) && performance.now() < deadline) await sleep(100);
      isStopping = true;
      await running;
      await close();
    },
  };
}

/** Expires the leases of unfinished payouts. @returns whether there were any unfinished payouts */
async function expireLeases(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

export interface Books {
  verdict: LedgerVerdict;
  /** Number of recordings whose rows were not posted exactly once. */
  wronglyPosted: number;
  /** Number of payouts whose audit log entries don't match the payout's outcome. */
  wronglyLogged: number;
}

/** Waits until everything is posted, and verifies the ledger. */
export async function closeBooks(connection: pg.ClientConfig, maxWaitMs: number): Promise<Books> {
  const { db, close } = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'crash-books',
  });
  const deadline = performance.now() + maxWaitMs;
  const waits = async (): Promise<boolean> =>
    (await sql`select from unposted limit 1`.execute(db)).rows.length > 0;
  while ((await waits()) && performance.now() < deadline) await sleep(100);
  const verdict = await verifyLedger(db);
  const wronglyPosted = await countWronglyPosted(db);
  const wronglyLogged = await countWronglyLogged(db);
  await close();
  return { verdict, wronglyPosted, wronglyLogged };
}

async function countWronglyPosted(db: Db): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n
    from (
      select distinct publisher_id, ${recordingOf('attribution.attribution_id')} as recording_id from attribution
    ) recorded
    full join (
      select publisher_id, recording_id, count(*) as times
      from posting
      cross join lateral unnest(recording_ids) as recording_id
      group by publisher_id, recording_id
    ) posted on posted.publisher_id = recorded.publisher_id and posted.recording_id = recorded.recording_id
    where recorded.recording_id is null or posted.times is distinct from 1`.execute(db);
  return Number(rows[0]?.n ?? -1);
}

/**
 * Counts payouts with wrong audit log entries. Each action must have one entry, or at most one if the service undid the
 * action.
 */
async function countWronglyLogged(db: Db): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n
    from payout_batch b
    cross join lateral (
      select array_agg(e.action order by e.audit_id) as actions
      from audit_entry e
      where e.publisher_id = b.publisher_id and e.target = 'payout:' || b.batch_id
    ) log
    where case
      when b.was_undone then coalesce(log.actions, '{payout.undo}') <> '{payout.undo}'
      when b.status = 'Preparing' then log.actions is not null
      else log.actions is distinct from
        '{payout.create}'::text[]
          || case b.status when 'Created' then '{}' when 'Paid' then '{payout.mark-paid}' else '{payout.cancel}' end::text[]
    end`.execute(db);
  return Number(rows[0]?.n ?? -1);
}
