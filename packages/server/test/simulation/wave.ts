import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import type { AccountId, MembershipId, TierId } from '../../src/platform/database/tables.generated.ts';
import { newRowId, toAccountId, toTierId } from '../../src/platform/ids.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../src/publishers/changing-program.ts';
import { claimable, type Shares } from './model/records.ts';
import type { GroupModel } from './model.ts';
import type { Random } from './random.ts';

export const members = [0, 1, 2];
export const skuId = 'pass';
export const months = Array.from({ length: 7 }, (_, month) => Date.UTC(2024, month));
export const codeOf = (member: number): string => `M-${member}`;
export const accountOf = (groupId: string, member: number): AccountId =>
  toAccountId(`acc_${groupId}_${member}`);
export const playerOf = (member: number): string => `p-${member}`;

export const randomShares = (random: Random): Shares => ({
  group: random.pick([0, 50_000, 100_000, 333_333]),
  tier: random.pick([200_000, 250_000, 123_456]),
  sku: random.pick([0, 12_500, 1_000_000]),
});

const changing = (db: Db, publisherId: string, work: (tx: ProgramTx) => Promise<void>): Promise<void> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, (tx) => {
      programChanged(tx, publisherId);
      return work(tx);
    }),
  );

/** Creates a wave's groups in a few statements, each with a tier, a SKU share and members. */
export async function makeGroups(
  db: Db,
  publisherId: string,
  groups: readonly GroupModel[],
): Promise<Map<GroupModel, TierId>> {
  const tierIds = new Map(groups.map((group) => [group, newRowId<TierId>()]));
  const allMembers = groups.flatMap(({ groupId }) =>
    members.map((member) => ({ groupId, member, membershipId: newRowId<MembershipId>() })),
  );
  const tierOf = new Map([...tierIds].map(([{ groupId }, tierId]) => [groupId, tierId]));
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
        groups.map((group) => ({
          publisher_id: publisherId,
          group_id: group.groupId,
          tier_id: tierIds.get(group) ?? toTierId(''),
          name: 'Gold',
          share_millionths: group.shares.tier,
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
        allMembers.map(({ groupId, member }) => ({
          account_id: accountOf(groupId, member),
          name: codeOf(member),
          owner_publisher_id: publisherId,
        })),
      )
      .execute();
    await tx
      .insertInto('membership')
      .values(
        allMembers.map(({ groupId, member, membershipId }) => ({
          publisher_id: publisherId,
          group_id: groupId,
          membership_id: membershipId,
          account_id: accountOf(groupId, member),
          status: 'Approved',
          player_id: member === claimable ? playerOf(member) : null,
          tier_id: member === 0 ? (tierOf.get(groupId) ?? null) : null,
        })),
      )
      .execute();
    await tx
      .insertInto('group_code')
      .values(
        allMembers.map(({ groupId, member, membershipId }) => ({
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
  return tierIds;
}

/** Empties the tables so that verifying the ledger stays fast. The tables' owner can grant itself the privilege. */
export async function emptyTables(ownerConnection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(ownerConnection);
  await client.connect();
  try {
    await client.query('grant truncate on all tables in schema public to current_user');
    await client.query(
      `truncate creator_group, creator_account, attribution, unposted, posting, ledger_entry, earning_rollup, group_rollup,
                transaction_count, credited_code, payment, payout_batch, refund_record, purchase_refund, purchase_reinstatement,
                reinstatement, reinstatement_adjustment, payment_hold, payment_hold_release, payee_gate, payee_gate_end,
                payee_method, clawback, statement_progress cascade`,
    );
  } finally {
    await client.end();
  }
}

export async function changeShares(
  db: Db,
  publisherId: string,
  group: GroupModel,
  shares: Shares,
): Promise<void> {
  const { groupId } = group;
  await changing(db, publisherId, async (tx) => {
    await sql`
      with of_group as (
        update creator_group set share_millionths = ${shares.group} where publisher_id = ${publisherId} and group_id = ${groupId}
      ), of_tier as (
        update tier set share_millionths = ${shares.tier} where publisher_id = ${publisherId} and group_id = ${groupId}
      )
      update sku_share set share_millionths = ${shares.sku} where publisher_id = ${publisherId} and group_id = ${groupId}`.execute(
      tx,
    );
  });
  group.shares = shares;
}
