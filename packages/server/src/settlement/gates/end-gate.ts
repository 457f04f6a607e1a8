import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readHoldTimes, requireReason } from '../holds/save-holds.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { type Gate, readGates } from './read-gates.ts';
import { saveGateEnd } from './save-gates.ts';
import { lockMembersOf } from './set-gate.ts';

export interface GateToEnd {
  publisherId: string;
  gateId: string;
  /** Reason in the actor's own words, 1 to 500 characters. */
  reason: string;
}

/**
 * Ends a review, so that the next payout can pay the creator, or revokes a tax clearance.
 * @throws Refusal InvalidInput, NotFound; Conflict when the gate is already over
 */
export function endGate(db: Db, actor: Actor, { publisherId, gateId, ...typed }: GateToEnd): Promise<Gate> {
  const reason = requireReason(typed.reason);
  return inTransaction(db, async (tx) => {
    // The end must commit entirely before or entirely after a payout's cutoff.
    await lockForPosting(tx, publisherId);
    const gate = await readGate(tx, publisherId, gateId);
    if (gate === null) throw new Refusal('NotFound', `Publisher ${publisherId} has no gate ${gateId}.`);
    await lockMembersOf(tx, publisherId, gate.memberId);
    const times = await readHoldTimes(tx, publisherId);
    if (gate.until !== null && gate.until <= times.clockAt)
      throw new Refusal('Conflict', `${nameOf(gate)} ended automatically at ${gate.until.toISOString()}.`);
    if (!(await saveGateEnd(tx, actor, { publisherId, gateId: gate.gateId, reason }, times)))
      throw new Refusal('Conflict', `${nameOf(gate)} was already ended.`);
    await recordChange(tx, actor, {
      publisherId,
      action: gate.kind === 'tax' ? 'member.revoke-tax' : 'member.end-review',
      target: `member:${gate.memberId}`,
      before: { gate: gate.gateId, from: gate.from, until: gate.until, note: gate.note },
      reason,
    });
    const ended = await readGate(tx, publisherId, gate.gateId);
    if (ended === null) throw new Error('a gate disappeared');
    return ended;
  });
}

const nameOf = ({ kind }: Gate): string => (kind === 'tax' ? 'The tax clearance' : 'The review');

async function readGate(tx: Tx, publisherId: string, gateId: string): Promise<Gate | null> {
  if (!isRowId(gateId)) return null;
  const [gate] = await readGates(tx, publisherId, sql`g.gate_id = ${gateId}::uuid`);
  return gate ?? null;
}
