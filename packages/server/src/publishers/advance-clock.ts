import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { Refusal } from '../platform/refusal.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { changingProgram, type ProgramTx } from './changing-program.ts';
import { laterBy } from './publisher-time.ts';
import { findSandbox } from './sandboxes.ts';

export interface ClockAdvance {
  publisherId: string;
  to: Date;
  /**
   * Milliseconds that the clock was ahead when the actor last read it. Used to detect stale edits, so that only one of
   * two concurrent advances succeeds.
   */
  seenAheadMs: number;
}

/** Maximum time by which a clock can be ahead, as in the table's check constraint. */
const maxAheadMs = 3_652.5 * 86_400_000;

/**
 * Moves a sandbox's clock forward. The clock can't be moved back.
 * @throws Refusal Conflict for a live publisher, Stale, or InvalidInput for a time in the clock's past or
 * more than ten years ahead
 */
export const advanceClock = (
  db: Db,
  actor: Actor,
  { publisherId, to, seenAheadMs }: ClockAdvance,
  clock: Clock,
): Promise<void> =>
  inTransaction(db, (tx) =>
    // Moves are serialized with changes to the program. Like a change to payout terms, a move takes effect either
    // before or after a payout's cutoff.
    changingProgram(tx, publisherId, async (tx: ProgramTx) => {
      const sandbox = await findSandbox(tx, publisherId);
      if (sandbox?.publisherId !== publisherId)
        throw new Refusal(
          'Conflict',
          "A live publisher's clock can't be changed. Copy the publisher to a sandbox, and advance the clock there.",
        );
      refuseStaleEdit('The clock', String(seenAheadMs), String(sandbox.aheadMs));
      const now = clock.now();
      const aheadMs = to.getTime() - now.getTime();
      const refuse = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['to'] });
      if (aheadMs <= seenAheadMs)
        throw refuse(
          `The clock can't go back from ${laterBy(now, seenAheadMs).toISOString()}. To start over, copy the publisher to a new sandbox.`,
        );
      if (aheadMs > maxAheadMs)
        throw refuse('The clock can be at most ten years ahead. Choose an earlier time.');
      // Use the database's clock, as payouts do.
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
