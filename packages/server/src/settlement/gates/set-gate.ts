import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockMembers } from '../../members/lock-members.ts';
import { requireCreator } from '../../members/read/require-creator.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { readHoldTimes, requireReason } from '../holds/save-holds.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { type GateKind, isGateOpenAt } from './gates.ts';
import { type Gate, readGates } from './read-gates.ts';
import { saveGates } from './save-gates.ts';

export interface GateToSet {
  publisherId: string;
  memberId: AccountId;
  kind: GateKind;
  /** Start of the period, on the publisher's clock; if null, the current time. A clearance may start in the past. */
  from: Date | null;
  /** End of the period, on the publisher's clock; null for a period without an end. */
  until: Date | null;
  /** Note in the actor's own words, 1 to 500 characters, such as "W-8BEN 2026-03". */
  note: string;
}

/**
 * Sets a tax clearance, or puts a creator under review. A review keeps everything that the creator is due out of payouts
 * until it ends. For a claimed member, sets the gate of the creator who claimed it.
 * @throws Refusal InvalidInput; NotFound when the creator isn't a member; Conflict when a gate already covers the period
 */
export function setGate(db: Db, actor: Actor, gate: GateToSet): Promise<Gate> {
  const { publisherId, memberId, kind, until } = gate;
  const note = requireReason(gate.note, 'note');
  return inTransaction(db, async (tx) => {
    // The gate must commit entirely before or entirely after a payout's cutoff.
    await lockForPosting(tx, publisherId);
    // Gates aren't part of the program, but a claim of the creator must not run at the same time.
    return changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, { publisherId, memberId });
      await lockMembersOf(tx, publisherId, accountId);
      const times = await readHoldTimes(tx, publisherId);
      const { clockAt } = times;
      const from = kind === 'review' ? clockAt : (gate.from ?? clockAt);
      requirePeriod({ from, until }, clockAt);
      await requireNotCovered(tx, { ...gate, memberId: accountId, from }, clockAt);
      const [gateId] = await saveGates(tx, actor, { publisherId, ...times }, [
        { accountId, kind, from, until, note },
      ]);
      await recordChange(tx, actor, {
        publisherId,
        action: kind === 'tax' ? 'member.clear-tax' : 'member.review',
        target: `member:${accountId}`,
        after: { gate: gateId, from, until },
        reason: note,
      });
      const [saved] = await readGates(tx, publisherId, sql`g.gate_id = ${gateId}::uuid`);
      if (saved === undefined) throw new Error("a gate was saved but can't be read");
      return saved;
    });
  });
}

/** Locks a creator's members, so that each step of a payout either has already paid them or sees the gate. */
export const lockMembersOf = (tx: Tx, publisherId: string, accountId: AccountId): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`select membership_id from membership where publisher_id = ${publisherId} and account_id = ${accountId}`,
  );

/** @throws Refusal InvalidInput */
function requirePeriod({ from, until }: { from: Date; until: Date | null }, clockAt: Date): void {
  if (until === null) return;
  if (until <= clockAt)
    throw new Refusal('InvalidInput', 'The end (until) must be in the future.', { path: ['until'] });
  if (until <= from)
    throw new Refusal('InvalidInput', 'The end (until) must be after the start (from).', { path: ['until'] });
}

/** @throws Refusal Conflict when setting the gate would change nothing */
async function requireNotCovered(
  tx: Tx,
  { publisherId, memberId, kind, from, until }: GateToSet & { from: Date },
  clockAt: Date,
): Promise<void> {
  const [covering] = await readGates(
    tx,
    publisherId,
    sql`g.account_id = ${memberId} and g.kind = ${kind} and ${isGateOpenAt(clockAt)}
        and ${
          kind === 'review'
            ? sql`true`
            : sql`g.from_at <= ${from} and (g.until_at is null or g.until_at >= ${until ?? 'infinity'}::timestamptz)`
        }
        limit 1`,
  );
  if (covering === undefined) return;
  const end = covering.until === null ? '' : ` until ${covering.until.toISOString()}`;
  throw new Refusal(
    'Conflict',
    kind === 'review'
      ? `${memberId} is already under review${end}. Nothing was changed.`
      : `${memberId} already has a tax clearance${end === '' ? ' without an end' : end}. Nothing was changed.`,
  );
}
