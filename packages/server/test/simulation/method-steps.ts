import { sql } from 'kysely';
import { approveMethod } from '../../src/payees/approve-method.ts';
import { endMethod } from '../../src/payees/end-method.ts';
import { enterMethod } from '../../src/payees/enter-method.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import { type Life, perhapsCrashing } from './life.ts';
import { accountOf, members } from './wave.ts';

const approver = { ...testActor, id: 'approver', name: 'approver' };

/** Enters and approves a payout method, which replaces the current one. Some methods have a waiting period. */
export async function changeMethod(life: Life): Promise<void> {
  const { random, group, log, context, db } = life;
  const { publisherId } = context;
  const member = random.pick(members);
  const creator = group.creators.survivor(member);
  const isUsable = !random.oneIn(4);
  log.push(`change the method of member ${member}, ${isUsable ? 'usable' : 'new'}`);
  const memberId = accountOf(group.groupId, creator);
  const holder = { holderName: 'X', holderType: 'individual', country: 'DE' } as const;
  // An approval that crashed leaves its method waiting.
  const waiting = await methodOf(life, creator, 'waiting');
  const destination = { kind: 'paypal', ...holder, email: 'x@example.com' } as const;
  const methodId =
    waiting ??
    (await enterMethod(db, testSealer, testActor, { publisherId, memberId, destination })).methodId;
  const isDone = await perhapsCrashing(life, (at) =>
    approveMethod(at, approver, { publisherId, methodId, acceptsShared: true }),
  );
  if (!isDone) return;
  group.creators.methods.set(creator, { id: methodId, isUsable });
  const usableFrom = isUsable ? sql`'2000-01-01'` : sql`'2099-01-01'`;
  await sql`
    update payee_method
    set usable_from = ${usableFrom}
    where publisher_id = ${publisherId} and method_id = ${methodId}::uuid`.execute(db);
}

/** Ends a member's current payout method. */
export async function leaveMethod(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const { methods } = group.creators;
  if (methods.size === 0) return;
  const [member, { id }] = random.pick([...methods]);
  log.push(`end the method of member ${member}`);
  const ended = { publisherId: context.publisherId, methodId: id, reason: 'x' };
  const isDone = await perhapsCrashing(life, (db) => endMethod(db, testActor, ended));
  if (isDone) methods.delete(member);
}

/** Reads the id of a member's current or waiting method; null if there is none. */
export async function methodOf(
  { context, group, db }: Life,
  member: number,
  state: 'current' | 'waiting',
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select method_id as id
    from payee_method
    where publisher_id = ${context.publisherId} and account_id = ${accountOf(group.groupId, member)}
      and ended_at is null and (approved_at is null) = ${state === 'waiting'}`.execute(db);
  return rows[0]?.id ?? null;
}
