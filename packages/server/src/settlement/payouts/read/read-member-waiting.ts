import { sql } from 'kysely';
import { findMemberships } from '../../../members/read/find-memberships.ts';
import { readManaged } from '../../../members/read/read-managed.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import { planMember } from '../create/plan-member.ts';
import { readInPayouts } from '../read-waiting-rest.ts';
import type { WaitingAmount } from '../waiting.ts';
import { readPlannedDays } from './read-calendars.ts';
import { completeRows, readOwed, rowsOf } from './read-preview.ts';

/** Everything that a creator is owed in one currency. */
export interface MemberWaiting {
  currency: string;
  balanceMinor: bigint;
  /** Amount that a payout would pay now. */
  dueMinor: bigint;
  minimumMinor: bigint;
  waiting: WaitingAmount[];
}

/**
 * Reads what a payout would pay a creator now, and why the rest waits. Reads one snapshot, so that the amounts of a
 * currency add up to its balance and the amounts in payouts.
 * @throws Refusal NotFound
 */
export const readMemberWaiting = (
  db: Db,
  named: { publisherId: string; memberId: AccountId; groupId: string },
): Promise<{ asOf: Date; plannedFor: Date | null; rows: MemberWaiting[] }> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { publisherId } = named;
      const { memberId, membershipId, groupId } = await readManaged(tx, named);
      const membershipIds = await findMemberships(tx, publisherId, groupId, {
        by: 'memberId',
        value: memberId,
      });
      const { payables, ...preview } = await planMember(tx, { publisherId, groupId, membershipIds });
      const request = { publisherId, groupId, currency: null, asOf: null };
      const balances = await readOwed(tx, request, { cutoff: preview.cutoff, membershipIds });
      const rows = await completeRows(tx, request, preview, rowsOf(payables, balances));
      const days = await readPlannedDays(tx, { publisherId, groupIds: [groupId], at: preview.asOf });
      const owed = rows.map((row) => ({
        currency: row.currency,
        balanceMinor: row.amountMinor + row.laterMinor + (row.onHold?.amountMinor ?? 0n),
        dueMinor: row.state === 'due' ? row.amountMinor : 0n,
        minimumMinor: row.minimumMinor,
        waiting: row.waiting,
      }));
      const scope = { publisherId, groupId, cutoff: preview.cutoff, membershipId };
      const inPayouts = await readOnlyInPayouts(tx, scope, {
        membershipIds,
        except: owed.map(({ currency }) => currency),
      });
      return {
        asOf: preview.asOf,
        plannedFor: days.get(groupId) ?? null,
        rows: [...owed, ...inPayouts].sort((one, other) => (one.currency < other.currency ? -1 : 1)),
      };
    });

/** Reads the currencies in which everything that the creator is owed is in payouts that aren't paid yet. */
async function readOnlyInPayouts(
  tx: Tx,
  {
    membershipId,
    ...scope
  }: { publisherId: string; groupId: string; cutoff: Date; membershipId: MembershipId },
  { membershipIds, except }: { membershipIds: readonly MembershipId[]; except: readonly string[] },
): Promise<MemberWaiting[]> {
  const { rows } = await sql<{ currency: string }>`
    select distinct b.currency
    from member_balance b
    where b.publisher_id = ${scope.publisherId} and b.membership_id = any(${[...membershipIds]}::uuid[])
      and b.currency <> all(${[...except]}::text[])`.execute(tx);
  const inPayouts = await readInPayouts(
    tx,
    scope,
    rows.map(({ currency }) => ({ membershipId, currency })),
  );
  return rows.flatMap(({ currency }, index) => {
    const waiting = inPayouts[index] ?? [];
    return waiting.length === 0
      ? []
      : [{ currency, balanceMinor: 0n, dueMinor: 0n, minimumMinor: 0n, waiting }];
  });
}
