import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import type { AccountId, MembershipId, TierId } from '../../src/platform/database/tables.generated.ts';
import { newRowId, toAccountId, toTierId } from '../../src/platform/ids.ts';
import {
  changingProgramme,
  type ProgrammeTx,
  programmeChanged,
} from '../../src/publishers/changing-programme.ts';
import { claimable, GroupModel, type Shares } from './model.ts';
import type { Random } from './random.ts';

export const members = [0, 1, 2];
export const skuId = 'pass';
export const codeOf = (member: number): string => `M-${member}`;
export const accountOf = (groupId: string, member: number): AccountId =>
  toAccountId(`acc_${groupId}_${member}`);
export const playerOf = (member: number): string => `p-${member}`;

export const randomShares = (random: Random): Shares => ({
  group: random.pick([0, 50_000, 100_000, 333_333]),
  tier: random.pick([200_000, 250_000, 123_456]),
  sku: random.pick([0, 12_500, 1_000_000]),
});

const changing = (db: Db, publisherId: string, work: (tx: ProgrammeTx) => Promise<void>): Promise<void> =>
  inTransaction(db, (tx) =>
    changingProgramme(tx, publisherId, (tx) => {
      programmeChanged(tx, publisherId);
      return work(tx);
    }),
  );

/** Groups whose histories run side by side, each with a tier, a SKU share and members; made in a few statements. */
export async function makeWave(db: Db, publisherId: string, prefix: string, size: number, random: Random) {
  const groups = Array.from(
    { length: size },
    (_, index) => new GroupModel(`${prefix}-${index}`, randomShares(random)),
  );
  const tierIds = new Map(groups.map(({ groupId }) => [groupId, newRowId<TierId>()]));
  const everyMember = groups.flatMap(({ groupId }) =>
    members.map((member) => ({ groupId, member, membershipId: newRowId<MembershipId>() })),
  );
  await changing(db, publisherId, async (tx) => {
    await tx
      .insertInto('creator_group')
      .values(
        groups.map(({ groupId, shares }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          name: groupId,
          share_millionths: shares.group,
        })),
      )
      .execute();
    await tx
      .insertInto('tier')
      .values(
        groups.map(({ groupId, shares }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          tier_id: tierIds.get(groupId) ?? toTierId(''),
          name: 'Gold',
          share_millionths: shares.tier,
        })),
      )
      .execute();
    await tx
      .insertInto('sku_share')
      .values(
        groups.map(({ groupId, shares }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          sku_id: skuId,
          share_millionths: shares.sku,
        })),
      )
      .execute();
    await tx
      .insertInto('creator_account')
      .values(
        everyMember.map(({ groupId, member }) => ({
          account_id: accountOf(groupId, member),
          name: codeOf(member),
          owner_publisher_id: publisherId,
        })),
      )
      .execute();
    await tx
      .insertInto('membership')
      .values(
        everyMember.map(({ groupId, member, membershipId }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          membership_id: membershipId,
          account_id: accountOf(groupId, member),
          status: 'Approved',
          player_id: member === claimable ? playerOf(member) : null,
          tier_id: member === 0 ? (tierIds.get(groupId) ?? null) : null,
        })),
      )
      .execute();
    await tx
      .insertInto('group_code')
      .values(
        everyMember.map(({ groupId, member, membershipId }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          code: codeOf(member),
          code_folded: codeOf(member).toLowerCase(),
          membership_id: membershipId,
          is_managed: member === claimable,
        })),
      )
      .execute();
  });
  return { groups, tierIds };
}

/** Empties the tables, so that proving the ledger stays quick. Their owner may give itself the right. */
export async function emptyTables(ownerConnection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(ownerConnection);
  await client.connect();
  try {
    await client.query('grant truncate on all tables in schema public to current_user');
    await client.query(
      'truncate creator_group, attribution, unsettled, ledger_entry, earning_rollup cascade',
    );
  } finally {
    await client.end();
  }
}

/** Changes what later rows of some groups are recorded with. */
export async function changeShares(
  db: Db,
  publisherId: string,
  groups: readonly GroupModel[],
  random: Random,
): Promise<void> {
  if (groups.length === 0) return;
  await changing(db, publisherId, async (tx) => {
    for (const group of groups) {
      group.shares = randomShares(random);
      const { groupId, shares } = group;
      await sql`
        with of_group as (
          update creator_group set share_millionths = ${shares.group} where publisher_id = ${publisherId} and group_id = ${groupId}
        ), of_tier as (
          update tier set share_millionths = ${shares.tier} where publisher_id = ${publisherId} and group_id = ${groupId}
        )
        update sku_share set share_millionths = ${shares.sku} where publisher_id = ${publisherId} and group_id = ${groupId}`.execute(
        tx,
      );
    }
  });
}

/** All money of every group of a publisher as it stands in the database, a sorted list of words for each group. */
export async function readMoney(db: Db, publisherId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ group_id: string; words: string }>`
    select a.group_id,
           concat_ws(' ', 'row', a.attribution_id, a.status, coalesce(p.share_millionths::text, '-'),
                     coalesce(p.share_minor::text, '-'), case when p.reversed_at is null then 'kept' else 'reversed' end,
                     coalesce(p.payout_batch_id::text, '-'), case when b.paid_at is null then 'unpaid' else 'paid' end,
                     (select count(*) from refund_record r
                      where r.publisher_id = a.publisher_id and r.attribution_id = a.attribution_id)) as words
    from attribution a
    left join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
    left join payout_batch b on b.publisher_id = p.publisher_id and b.batch_id = p.payout_batch_id
    where a.publisher_id = ${publisherId}
    union all
    select m.group_id, concat_ws(' ', 'balance', m.account_id, b.currency, sum(b.balance_minor))
    from member_balance b
    join membership r on r.publisher_id = b.publisher_id and r.membership_id = b.membership_id
    join membership m on m.publisher_id = b.publisher_id and m.membership_id = coalesce(r.merged_into, r.membership_id)
    where b.publisher_id = ${publisherId}
    group by m.group_id, m.account_id, b.currency
    having sum(b.balance_minor) <> 0
    union all
    select group_id, concat_ws(' ', 'batch', batch_id, currency, status, total_minor, row_count, member_count)
    from payout_batch
    where publisher_id = ${publisherId} and not was_undone
    union all
    select b.group_id, concat_ws(' ', 'item', i.batch_id, m.account_id, i.amount_minor)
    from payout_item i
    join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
    join membership m on m.publisher_id = i.publisher_id and m.membership_id = i.membership_id
    where i.publisher_id = ${publisherId} and not b.was_undone`.execute(db);
  const money = new Map<string, string[]>();
  for (const { group_id, words } of rows) {
    const of = money.get(group_id) ?? [];
    of.push(words);
    money.set(group_id, of);
  }
  for (const of of money.values()) of.sort();
  return money;
}

/** The same words for what the model says. */
export function expectedMoney(group: GroupModel): string[] {
  const words: string[] = [];
  for (const row of group.rows()) {
    words.push(
      [
        'row',
        row.id,
        row.status,
        row.settled?.share ?? '-',
        row.settled?.amount ?? '-',
        row.isReversed ? 'reversed' : 'kept',
        row.batch?.id ?? '-',
        row.batch?.status === 'Paid' ? 'paid' : 'unpaid',
        row.refundRecords,
      ].join(' '),
    );
  }
  for (const currency of new Set(group.rows().map((row) => row.currency))) {
    for (const member of members) {
      const balance = group.balance(member, currency);
      if (balance !== 0n) words.push(`balance ${accountOf(group.groupId, member)} ${currency} ${balance}`);
    }
  }
  for (const { id, currency, status, total, rows, items } of group.batches) {
    words.push(`batch ${id} ${currency} ${status} ${total} ${rows} ${items.size}`);
    for (const [member, amount] of items)
      words.push(`item ${id} ${accountOf(group.groupId, member)} ${amount}`);
  }
  return words.sort();
}
