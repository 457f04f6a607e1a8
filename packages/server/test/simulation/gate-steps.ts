import { sql } from 'kysely';
import { expect } from 'vitest';
import { endGate } from '../../src/settlement/gates/end-gate.ts';
import type { GateKind } from '../../src/settlement/gates/gates.ts';
import { setGate } from '../../src/settlement/gates/set-gate.ts';
import { testActor } from '../test-actor.ts';
import { type Life, perhapsCrashing } from './life.ts';
import { accountOf, members } from './wave.ts';

/** Puts a member under review, or sets a tax clearance. A claimed member's gate becomes its claimer's. */
export async function gate(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const member = random.pick(members);
  const creator = group.creators.survivor(member);
  const kind: GateKind = random.pick(['tax', 'tax', 'review']);
  const isAllowed = (gatesOf(life, kind).get(creator) ?? []).length === 0;
  log.push(`set ${kind} gate of member ${member}: ${isAllowed}`);
  const memberId = accountOf(group.groupId, member);
  const wanted = { publisherId: context.publisherId, memberId, kind, from: null, until: null, note: 'x' };
  const isDone = await perhapsCrashing(life, (db) => setGate(db, testActor, wanted), isAllowed);
  if (isDone) gatesOf(life, kind).set(creator, await openGates(life, kind, creator));
}

/** Ends an open review or tax clearance, which may be a claimed member's. */
export async function leaveGate(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const open = (['tax', 'review'] as const).flatMap((kind) =>
    [...gatesOf(life, kind)].flatMap(([member, ids]) => ids.map((gateId) => ({ kind, member, gateId }))),
  );
  if (open.length === 0) return;
  const { kind, member, gateId } = random.pick(open);
  log.push(`end ${kind} gate of member ${member}`);
  const ended = { publisherId: context.publisherId, gateId, reason: 'x' };
  const isDone = await perhapsCrashing(life, (db) => endGate(db, testActor, ended));
  if (!isDone) return;
  const left = (gatesOf(life, kind).get(member) ?? []).filter((id) => id !== gateId);
  gatesOf(life, kind).set(member, left);
  expect(await openGates(life, kind, member), group.groupId).toEqual(left);
}

const gatesOf = ({ group: { creators } }: Life, kind: GateKind): Map<number, string[]> =>
  kind === 'tax' ? creators.clearances : creators.reviews;

/** Reads the ids of a member's open gates, in the order in which they were set. */
export async function openGates({ context, group, db }: Life, kind: GateKind, member: number) {
  const { rows } = await sql<{ id: string }>`
    select gate_id as id
    from payee_gate g
    where publisher_id = ${context.publisherId} and kind = ${kind} and account_id = ${accountOf(group.groupId, member)}
      and not exists (select from payee_gate_end e where e.publisher_id = g.publisher_id and e.gate_id = g.gate_id)
    order by gate_id`.execute(db);
  return rows.map(({ id }) => id);
}
