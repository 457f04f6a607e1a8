import { sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { readHoldTimes } from '../holds/save-holds.ts';
import { isGateOpenAt } from './gates.ts';
import { readGates } from './read-gates.ts';
import { saveGateEnd, saveGates } from './save-gates.ts';

/**
 * Replaces the open reviews of an account with reviews of the creator who claimed it, so that a claim doesn't end a
 * review. Tax clearances are not moved, because the creator who claimed the account may be a different taxpayer. The
 * caller has locked both accounts' members and posting.
 */
export async function moveReviews(
  tx: Tx,
  publisherId: string,
  { from, to }: { from: AccountId; to: AccountId },
): Promise<void> {
  const times = await readHoldTimes(tx, publisherId);
  const open = await readGates(
    tx,
    publisherId,
    sql`g.account_id = ${from} and g.kind = 'review' and ${isGateOpenAt(times.clockAt)} order by g.gate_id`,
  );
  for (const { gateId, until, note, setBy } of open) {
    const review = { accountId: to, kind: 'review', from: times.clockAt, until, note } as const;
    // A review that the creator asked for stays recognizable.
    const by =
      setBy.kind === 'creator' ? ({ kind: 'creator', id: to, name: setBy.name } as const) : serviceActor;
    const [moved] = await saveGates(tx, by, { publisherId, ...times }, [review]);
    await recordChange(tx, serviceActor, {
      publisherId,
      action: 'member.review',
      target: `member:${to}`,
      after: { gate: moved, from: times.clockAt, until, claimed: from },
      reason: note,
    });
    await saveGateEnd(tx, serviceActor, { publisherId, gateId, reason: `Claimed by ${to}` }, times);
  }
}
