import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { newRowId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { announcePayout } from './announce-payout.ts';
import { type Payable, payablePayments, payableRewards, readPayable, waitingClawbacks } from './payable.ts';
import { momentOfSettlement } from './settlement-lock.ts';

export interface PayoutPreview {
  /** Given to creation, it pays exactly what the preview shows. */
  asOf: Date;
  payables: Payable[];
}

export interface CreatedPayout {
  batchId: string;
  currency: string;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
}

/**
 * What a payout of a group would pay now, and what would wait.
 * @throws OperatorError when there is no such group
 */
export function previewPayout(
  db: Db,
  publisherId: string,
  groupId: string,
  currency: string | null,
  asOf: Date | null,
): Promise<PayoutPreview> {
  return inTransaction(db, async (tx) => {
    const moment = await momentToUse(tx, publisherId, asOf);
    await requireGroup(tx, publisherId, groupId);
    return { asOf: moment, payables: await readPayable(tx, publisherId, groupId, currency, moment) };
  });
}

/**
 * Makes a batch for each currency that has a member due: stamps the payments, from when a status change
 * answers 409, and takes the amounts off the members' balances. A refund at the same time either comes
 * first, and its row is not in the batch, or finds the stamp.
 * @returns one batch a currency; none when nobody is due
 */
export function createPayout(
  db: Db,
  publisherId: string,
  groupId: string,
  currency: string | null,
  asOf: Date | null,
): Promise<CreatedPayout[]> {
  return inTransaction(db, async (tx) => {
    const moment = await momentToUse(tx, publisherId, asOf);
    await requireGroup(tx, publisherId, groupId);
    await lockMemberships(tx, publisherId, groupId, moment);
    const payables = await readPayable(tx, publisherId, groupId, currency, moment);
    const due = payables.filter(({ isDue }) => isDue);
    const batches: CreatedPayout[] = [];
    for (const [batchCurrency, members] of Map.groupBy(due, (payable) => payable.currency)) {
      batches.push(await createBatch(tx, publisherId, groupId, batchCurrency, moment, members));
    }
    return batches;
  });
}

/** A moment in the future would pay rows that do not exist yet, and differ from its preview. */
async function momentToUse(tx: Tx, publisherId: string, asOf: Date | null): Promise<Date> {
  const now = await momentOfSettlement(tx, publisherId);
  if (asOf !== null && asOf > now)
    throw new OperatorError('The moment of a payout (asOf) cannot be in the future.');
  return asOf ?? now;
}

/**
 * Memberships before payments, by id, as everywhere: those the payments were made for, and those they were
 * merged into. What follows sees every change that held a lock.
 */
async function lockMemberships(tx: Tx, publisherId: string, groupId: string, asOf: Date): Promise<void> {
  await sql`
    with earning as (
      select p.membership_id from payment p where ${payablePayments(publisherId, groupId, asOf)}
      union
      select w.membership_id from reward_payment w where ${payableRewards(publisherId, groupId, asOf)}
      union
      select c.membership_id from clawback c where ${waitingClawbacks(publisherId, groupId, asOf)}
    )
    select
    from membership
    where publisher_id = ${publisherId}
      and membership_id = any(array(
        select membership_id from earning
        union
        select m.merged_into
        from earning
        join membership m on m.publisher_id = ${publisherId} and m.membership_id = earning.membership_id
        where m.merged_into is not null
      ))
    order by membership_id
    for no key update`.execute(tx);
}

/** Members' own memberships, with all that were merged into them. */
async function withMergedIn(tx: Tx, publisherId: string, memberships: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ membership_id: string }>`
    select membership_id
    from membership
    where publisher_id = ${publisherId} and merged_into = any(${memberships}::uuid[])`.execute(tx);
  return [...memberships, ...rows.map(({ membership_id }) => membership_id)];
}

async function createBatch(
  tx: Tx,
  publisherId: string,
  groupId: string,
  currency: string,
  asOf: Date,
  members: readonly Payable[],
): Promise<CreatedPayout> {
  const batchId = newRowId();
  const totalMinor = members.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const rowCount = members.reduce((sum, member) => sum + member.rowCount, 0);
  const memberships = await withMergedIn(
    tx,
    publisherId,
    members.map(({ membershipId }) => membershipId),
  );
  await tx
    .insertInto('payout_batch')
    .values({
      publisher_id: publisherId,
      batch_id: batchId,
      group_id: groupId,
      currency,
      as_of: asOf,
      status: 'Created',
      total_minor: String(totalMinor),
      member_count: members.length,
      row_count: BigInt(rowCount),
    })
    .execute();
  const stamped = await sql`
    update payment p
    set payout_batch_id = ${batchId}::uuid
    where ${payablePayments(publisherId, groupId, asOf)}
      and p.currency = ${currency} and p.membership_id = any(${memberships}::uuid[])`.execute(tx);
  if (stamped.numAffectedRows !== BigInt(rowCount))
    throw new Error('a payout stamped other rows than it counted');
  const rewardCount = members.reduce((sum, member) => sum + member.rewardCount, 0);
  const rewarded = await sql`
    update reward_payment w
    set payout_batch_id = ${batchId}::uuid
    where ${payableRewards(publisherId, groupId, asOf)}
      and w.currency = ${currency} and w.membership_id = any(${memberships}::uuid[])`.execute(tx);
  if (rewarded.numAffectedRows !== BigInt(rewardCount))
    throw new Error('a payout stamped other rewards than it counted');
  await sql`
    update clawback c
    set payout_batch_id = ${batchId}::uuid
    where ${waitingClawbacks(publisherId, groupId, asOf)}
      and c.currency = ${currency} and c.membership_id = any(${memberships}::uuid[])`.execute(tx);
  await saveItems(tx, publisherId, batchId, currency, members);
  await announcePayout(tx, publisherId, batchId, 'Payout/PayoutCreated');
  return { batchId, currency, totalMinor, memberCount: members.length, rowCount };
}

/** The items, their ledger entries, and the balances they lessen; a member may have earned none of it under its own. */
async function saveItems(
  tx: Tx,
  publisherId: string,
  batchId: string,
  currency: string,
  members: readonly Payable[],
): Promise<void> {
  await sql`
    with item as (
      insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, reward_count,
                               rewards_minor, adjustments_minor, amount_minor)
      select ${publisherId}, i.item_id, ${batchId}::uuid, i.membership_id, i.row_count, i.payments, i.reward_count,
             i.rewards, i.adjustments, i.payments + i.rewards + i.adjustments
      from unnest(
        ${members.map(() => newRowId())}::uuid[],
        ${members.map(({ membershipId }) => membershipId)}::uuid[],
        ${members.map(({ rowCount }) => String(rowCount))}::bigint[],
        ${members.map(({ paymentsMinor }) => String(paymentsMinor))}::numeric[],
        ${members.map(({ rewardCount }) => String(rewardCount))}::bigint[],
        ${members.map(({ rewardsMinor }) => String(rewardsMinor))}::numeric[],
        ${members.map(({ adjustmentsMinor }) => String(adjustmentsMinor))}::numeric[]
      ) as i (item_id, membership_id, row_count, payments, reward_count, rewards, adjustments)
      returning item_id, membership_id, amount_minor
    ),
    entry as (
      insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
      select ${publisherId}, item_id, 'payout', membership_id, ${currency}, -amount_minor from item
    )
    insert into member_balance as b (publisher_id, membership_id, currency, balance_minor)
    select ${publisherId}, membership_id, ${currency}, -amount_minor
    from item
    order by membership_id
    on conflict (publisher_id, membership_id, currency) do update
      set balance_minor = b.balance_minor + excluded.balance_minor`.execute(tx);
}

/** Its hold period and minimums stay as they are until the payout is made. */
async function requireGroup(tx: Tx, publisherId: string, groupId: string): Promise<void> {
  const group = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .forShare()
    .executeTakeFirst();
  if (group === undefined) throw new OperatorError(`Publisher ${publisherId} has no group ${groupId}.`);
}
