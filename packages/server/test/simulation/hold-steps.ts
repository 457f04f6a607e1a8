import { sql } from 'kysely';
import { expect } from 'vitest';
import { holdCreator } from '../../src/settlement/holds/hold-creator.ts';
import { holdPurchase } from '../../src/settlement/holds/hold-purchase.ts';
import { releaseHold } from '../../src/settlement/holds/release-hold.ts';
import { testActor } from '../test-actor.ts';
import { type Life, perhapsCrashing } from './life.ts';
import { accountOf, members } from './wave.ts';

/** Holds any purchase, including unposted, paid and Test purchases, or a member. */
export async function hold(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const { publisherId } = context;
  const terms = { publisherId, reason: 'dispute', endsAt: null };
  if (random.oneIn(3)) {
    const member = random.pick(members);
    const held = group.creators.survivor(member);
    const isAllowed = !group.creators.holds.has(held);
    log.push(`hold member ${member}: ${isAllowed}`);
    const creator = {
      memberId: accountOf(group.groupId, member),
      groupId: random.pick([null, group.groupId]),
    };
    // One hold for each member, in this group or in all groups, keeps the model simple.
    if (!isAllowed) return;
    const isDone = await perhapsCrashing(life, (db) => holdCreator(db, testActor, { ...terms, ...creator }));
    if (isDone)
      group.creators.holds.set(held, await lastHold(life, `creator:${accountOf(group.groupId, held)}`));
    return;
  }
  const index = random.oneIn(3) ? group.purchases.length - 1 : random.below(group.purchases.length);
  const purchase = group.purchases[index] ?? [];
  const rows = group.holdable(purchase);
  const transactionId = life.purchaseIds[index] ?? '';
  log.push(`hold ${transactionId}: ${rows.length} rows`);
  const isDone = await perhapsCrashing(
    life,
    (db) => holdPurchase(db, testActor, { ...terms, transactionId, rows: null }),
    rows.length > 0,
  );
  if (!isDone) return;
  for (const row of rows) row.hold = await lastHold(life, `row:${row.id}`);
}

/** Releases an open hold. */
export async function release(life: Life): Promise<void> {
  const { random, group, log, context, db } = life;
  const { rows: open } = await sql<{ id: string; row: string | null; account: string | null }>`
    select hold_id as id, attribution_id as row, account_id as account
    from payment_hold h
    where publisher_id = ${context.publisherId}
      and (group_id = ${group.groupId} or account_id = any(${members.map((each) => accountOf(group.groupId, each))}::text[]))
      and not exists (select from payment_hold_release r where r.publisher_id = h.publisher_id and r.hold_id = h.hold_id)
    order by attribution_id, account_id`.execute(db);
  const rows = group.rows().filter((row) => row.hold !== null);
  expect(open).toHaveLength(rows.length + group.creators.holds.size);
  if (open.length === 0) return;
  const { id, row, account } = random.pick(open);
  log.push(`release ${row ?? account}`);
  const isDone = await perhapsCrashing(life, (at) =>
    releaseHold(at, testActor, { publisherId: context.publisherId, holdId: id, reason: 'won' }),
  );
  if (!isDone) return;
  for (const each of rows) if (each.id === row) each.hold = null;
  for (const member of members)
    if (accountOf(group.groupId, member) === account) group.creators.holds.delete(member);
}

async function lastHold({ db, context }: Life, subject: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select hold_id as id
    from payment_hold
    where publisher_id = ${context.publisherId} and (subject = ${subject} or subject like ${`${subject}/%`})
    order by hold_id desc
    limit 1`.execute(db);
  return rows[0]?.id ?? '';
}
