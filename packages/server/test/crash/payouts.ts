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
  /** How often each thing was done, as far as its doer was told; and how often one was found half done. */
  counts: Record<'created' | 'paid' | 'cancelled' | 'interrupted' | 'left', number>;
  /** What was not explained while one was half done. */
  unexplained: LedgerVerdict[];
  stop(): Promise<void>;
}

const patienceMs = 20_000;

/** Pays the publisher's members out again and again; what the killing interrupts is simply tried later. */
export function keepPayingOut(connection: pg.ClientConfig, publisherId: string): Payouts {
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
        for (const { batchId } of await createPayout(db, testActor, whole)) {
          counts.created += 1;
          // Every third stays as it is; of the others, what has been done less: few are made while everything dies.
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
      // On a slow machine each of them may have been interrupted so far; some rows still wait to be paid.
      const deadline = performance.now() + patienceMs;
      while ((counts.paid === 0 || counts.cancelled === 0) && performance.now() < deadline) await sleep(100);
      isStopping = true;
      await running;
      await close();
    },
  };
}

/** What its maker left when it died need not wait until its time is up. @returns whether there was something */
async function expireLeases(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

export interface Books {
  verdict: LedgerVerdict;
  /** Recordings whose rows were not posted exactly once. */
  wronglyPosted: number;
  /** Payouts whose entries in the audit log are not those of what became of them. */
  wronglyLogged: number;
}

/** Waits until the processes have posted what waits, and looks whether every balance is explained. */
export async function closeBooks(connection: pg.ClientConfig, patienceMs: number): Promise<Books> {
  const { db, close } = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'crash-books',
  });
  const deadline = performance.now() + patienceMs;
  const waits = async (): Promise<boolean> =>
    (await sql`select from unposted limit 1`.execute(db)).rows.length > 0;
  while ((await waits()) && performance.now() < deadline) await sleep(100);
  const verdict = await verifyLedger(db);
  const wronglyPosted = await countWronglyPosted(db);
  const wronglyLogged = await countWronglyLogged(db);
  await close();
  return { verdict, wronglyPosted, wronglyLogged };
}

/** The recordings that rows are of, against those that postings posted. */
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

/** One entry for each thing that somebody did to a payout, and one at most where the service undid it. */
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
