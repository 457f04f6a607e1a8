import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgram, type ProgramTx } from './changing-program.ts';
import { laterBy } from './publisher-time.ts';
import { findSandbox } from './sandboxes.ts';

export interface ClockAdvance {
  publisherId: string;
  /** What the clock is to say. */
  to: Date;
  /** By how much whoever asks has seen it ahead: of two who press at once, one advances. */
  seenAheadMs: number;
}

/** The table's check has the same. */
const maxAheadMs = 3_652.5 * 86_400_000;

/**
 * Moves a sandbox's clock forward, for good.
 * @throws Refusal Conflict for a live publisher, and when somebody else moved it meanwhile; InvalidInput for a time that
 *   has been, or is more than ten years away
 */
export const advanceClock = (
  db: Db,
  actor: Actor,
  { publisherId, to, seenAheadMs }: ClockAdvance,
  clock: Clock,
): Promise<void> =>
  inTransaction(db, (tx) =>
    // In line with what changes the program, and before or after a payout's moment, as other terms of payouts.
    changingProgram(tx, publisherId, async (tx: ProgramTx) => {
      const sandbox = await findSandbox(tx, publisherId);
      if (sandbox?.publisherId !== publisherId)
        throw new Refusal(
          'Conflict',
          'The clock of a live publisher is the service’s. Copy it to a sandbox, and advance the clock there.',
        );
      if (sandbox.aheadMs !== seenAheadMs)
        throw new Refusal(
          'Conflict',
          'Somebody else advanced the clock meanwhile; look at what it says now.',
        );
      const now = clock.now();
      const aheadMs = to.getTime() - now.getTime();
      const refuse = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['to'] });
      if (aheadMs <= seenAheadMs)
        throw refuse(
          `The clock says ${laterBy(now, seenAheadMs).toISOString()}, and moves forward only; copy anew to begin again.`,
        );
      if (aheadMs > maxAheadMs) throw refuse('The clock can be ten years ahead at most.');
      // By the database's clock, as the moments of payouts are.
      const movedAt = await readMoment(tx);
      await tx
        .updateTable('creator_group')
        .set({ terms_changed_at: movedAt })
        .where('publisher_id', '=', publisherId)
        .execute();
      await tx
        .insertInto('clock_move')
        .values({
          publisher_id: publisherId,
          ahead_ms: BigInt(aheadMs),
          sandbox_of: sandbox.live.publisherId,
          moved_at: movedAt,
        })
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'clock.advance',
        target: `publisher:${publisherId}`,
        before: { clock: laterBy(now, seenAheadMs) },
        after: { clock: to },
      });
    }),
  );
