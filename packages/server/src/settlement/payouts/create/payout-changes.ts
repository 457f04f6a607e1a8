import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { hasChanged, type PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';
import type { PreviewOutdated } from './preview-outdated.ts';

/** Reasons for a member's amount to differ from the preview. */
export const changeReasons = [
  'Refund',
  'Fraud',
  'Chargeback',
  'hold',
  'release',
  'reinstatement',
  'merge',
  'purchases',
  'bounties',
  'clawback',
  'minimum',
] as const;
export type ChangeReason = (typeof changeReasons)[number];

/** Member's payment in the preview and now; "0" for no payment. */
export interface ChangedMember {
  memberId: string;
  name: string;
  currency: string;
  beforeMinor: string;
  afterMinor: string;
  reasons: ChangeReason[];
}

export interface PayoutSum {
  totalMinor: string;
  memberCount: number;
}

/** Machine-readable details of a rejected preview. Amounts are text, in minor units. */
export interface PayoutChange {
  /**
   * `members`: amounts changed. `payout`: another payout was created. `terms`: the hold period, the minimums
   * or the sandbox clock changed.
   */
  cause: 'members' | 'payout' | 'terms';
  /** Id of the other payout; null if none was created. */
  payoutId: string | null;
  /** Sums by currency; `before` is null if it can no longer be calculated. */
  currencies: { currency: string; isChanged: boolean; before: PayoutSum | null; after: PayoutSum }[];
  /** Changed members, largest difference first. */
  members: ChangedMember[];
  /** Number of changed members, including those not listed. */
  changedCount: number;
}

/** Maximum number of members in the details. A payout can have thousands. */
const maxMembers = 50;
const maxNamed = 20;

/** Returns the error for an outdated preview, with everything that a payout created now would change. */
export async function explainChange(
  db: Db,
  request: PayoutRequest,
  { changeCause: cause, payoutId, message, plan }: PreviewOutdated,
): Promise<Refusal> {
  const fresh = await planPayout(db, { ...request, asOf: null });
  const members = plan === null ? [] : await compare(db, plan.scope, plan.payables, fresh.payables);
  const changed = new Set(members.map(({ currency }) => currency));
  const currencies = [
    ...new Set([...(plan?.payables ?? []), ...fresh.payables].map(({ currency }) => currency)),
  ]
    .sort()
    .map((currency) => ({
      currency,
      isChanged: plan === null || changed.has(currency),
      before: plan === null ? null : sumOf(plan.payables, currency),
      after: sumOf(fresh.payables, currency),
    }))
    .filter(({ before, after }) => (before?.memberCount ?? 0) > 0 || after.memberCount > 0);
  const facts: PayoutChange = {
    cause,
    payoutId,
    currencies,
    members: members.slice(0, maxMembers),
    changedCount: members.length,
  };
  const dueNow = currencies.map(
    ({ currency, after }) => `${major(after.totalMinor, currency)} to ${after.memberCount} member(s)`,
  );
  const lines = [
    message,
    ...members.slice(0, maxNamed).map(inWords),
    ...(members.length > maxNamed ? [`and ${members.length - maxNamed} more`] : []),
    `Due now: ${dueNow.length === 0 ? 'nothing' : dueNow.join('; ')}.`,
  ];
  return new Refusal('Conflict', lines.join('\n  '), { facts: { payoutChange: facts } });
}

/**
 * Compares members only in currencies where a change blocks the payout. In other currencies, new purchases don't affect
 * the preview.
 */
async function compare(
  db: Db,
  scope: PayoutScope,
  planned: readonly PlannedPayable[],
  fresh: readonly PlannedPayable[],
): Promise<ChangedMember[]> {
  const blocking = planned.filter(hasChanged);
  const blocked = new Set(blocking.map(({ currency }) => currency));
  const actions = await readReversals(db, scope, blocking);
  const holds = await readHoldChanges(db, scope, blocking);
  const reinstated = await readReinstated(db, scope, blocking);
  const now = new Map(fresh.map((each) => [keyOf(each), each]));
  const before = new Map(planned.map((each) => [keyOf(each), each]));
  // Members who have merged since the preview, and those they were merged into.
  const then = new Map(planned.flatMap((each) => each.membershipIds.map((id) => [id, each.membershipId])));
  const moved = fresh.flatMap(({ membershipId, membershipIds }) =>
    membershipIds
      .filter((id) => then.has(id) && then.get(id) !== membershipId)
      .map((id) => [id, membershipId] as const),
  );
  const merged = new Set(moved.map(([, into]) => into));
  const wasMerged = new Set(moved.map(([id]) => id));
  return [...new Set([...before.keys(), ...now.keys()])]
    .map((key) => ({ one: before.get(key), other: now.get(key) }))
    .flatMap(({ one, other }) => {
      const member = other ?? one;
      if (member === undefined || !blocked.has(member.currency)) return [];
      const [paidBefore, paidAfter] = [paidOf(one), paidOf(other)];
      if (paidBefore === paidAfter && !(one !== undefined && blocking.includes(one))) return [];
      const isMerged =
        one?.isUnclear === true || merged.has(member.membershipId) || wasMerged.has(member.membershipId);
      const released = one?.isReleasedSince ? one.held.amountMinor : 0n;
      const again = one?.membershipIds.flatMap((id) => reinstated.get(`${id} ${one.currency}`) ?? []) ?? [];
      const left =
        (one?.paymentsMinor ?? 0n) -
        (one?.reversedMinor ?? 0n) +
        released +
        again.reduce((sum, minor) => sum + minor, 0n);
      const reasons: ChangeReason[] = [
        ...((one && actions.get(keyOf(one))) ?? []),
        ...((one && holds.get(keyOf(one))) ?? []),
        ...(again.length > 0 ? (['reinstatement'] as const) : []),
        ...(isMerged ? (['merge'] as const) : []),
        ...((other?.paymentsMinor ?? 0n) > left ? (['purchases'] as const) : []),
        ...((other?.rewardsMinor ?? 0n) > (one?.rewardsMinor ?? 0n) ? (['bounties'] as const) : []),
        ...((other?.adjustmentsMinor ?? 0n) < (one?.adjustmentsMinor ?? 0n) ? (['clawback'] as const) : []),
        ...(paidAfter === 0n && other?.memberHoldIds.length === 0 && other.amountMinor > 0n
          ? (['minimum'] as const)
          : []),
      ];
      const { memberId, name, currency } = member;
      return [{ memberId, name, currency, beforeMinor: paidBefore, afterMinor: paidAfter, reasons }];
    })
    .sort((one, other) => {
      const [size, otherSize] = [one, other].map((each) => distance(each.beforeMinor, each.afterMinor));
      return (size ?? 0n) === (otherSize ?? 0n) ? 0 : (size ?? 0n) > (otherSize ?? 0n) ? -1 : 1;
    })
    .map((each) => ({
      ...each,
      beforeMinor: String(each.beforeMinor),
      afterMinor: String(each.afterMinor),
    }));
}

const keyOf = ({ membershipId, currency }: PlannedPayable): string => `${membershipId} ${currency}`;
const paidOf = (payable: PlannedPayable | undefined): bigint => (payable?.isDue ? payable.amountMinor : 0n);
const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

function sumOf(payables: readonly PlannedPayable[], currency: string): PayoutSum {
  const due = payables.filter((each) => each.isDue && each.currency === currency);
  return {
    totalMinor: String(due.reduce((total, { amountMinor }) => total + amountMinor, 0n)),
    memberCount: due.length,
  };
}

async function readReversals(
  db: Db,
  { publisherId, asOf }: PayoutScope,
  payables: readonly PlannedPayable[],
): Promise<ReadonlyMap<string, ChangeReason[]>> {
  const { rows } = await sql<{ membership_id: MembershipId; currency: string; actions: ChangeReason[] }>`
    select p.membership_id, p.currency, array_agg(distinct r.action order by r.action desc) as actions
    from refund_record r
    join payment p on p.publisher_id = ${publisherId} and p.attribution_id = r.attribution_id
    where r.publisher_id = ${publisherId} and r.refund_id >= ${rowIdFloor(asOf)}::uuid and r.reverses_money
      and r.created_at > ${asOf}
      and p.membership_id = any(${payables.flatMap(({ membershipIds }) => membershipIds)}::uuid[])
    group by 1, 2`.execute(db);
  const found = new Map(rows.map((row) => [`${row.membership_id} ${row.currency}`, row.actions]));
  return byMember(payables, found);
}

/** Reads which members had a hold placed or released since the cutoff, on a row or on the member. */
async function readHoldChanges(
  db: Db,
  { publisherId, groupId, asOf }: PayoutScope,
  payables: readonly PlannedPayable[],
): Promise<ReadonlyMap<string, ChangeReason[]>> {
  const membershipIds = payables.flatMap((each) => each.membershipIds);
  const currencies = [...new Set(payables.map(({ currency }) => currency))];
  const { rows } = await sql<{ membership_id: MembershipId; currency: string; reasons: ChangeReason[] }>`
    with changed as materialized (
      select h.attribution_id, h.account_id, h.group_id, 'hold' as reason
      from payment_hold h
      where h.publisher_id = ${publisherId} and h.hold_id >= ${rowIdFloor(asOf)}::uuid and h.placed_at > ${asOf}
      union all
      select h.attribution_id, h.account_id, h.group_id, 'release'
      from payment_hold_release r
      join payment_hold h on h.publisher_id = ${publisherId} and h.hold_id = r.hold_id
      where r.publisher_id = ${publisherId} and r.released_at > ${asOf} and h.placed_at <= ${asOf}
    )
    select membership_id, currency, array_agg(distinct reason order by reason) as reasons
    from (
      select p.membership_id, p.currency, c.reason
      from changed c
      join payment p on p.publisher_id = ${publisherId} and p.attribution_id = c.attribution_id
      union all
      select m.membership_id, currency, c.reason
      from changed c
      join membership m
        on m.publisher_id = ${publisherId} and m.account_id = c.account_id and m.group_id = ${groupId}
       and (c.group_id is null or c.group_id = m.group_id)
      cross join unnest(${currencies}::text[]) as currency
    ) of_members
    where membership_id = any(${membershipIds}::uuid[])
    group by 1, 2`.execute(db);
  const found = new Map(rows.map((row) => [`${row.membership_id} ${row.currency}`, row.reasons]));
  return byMember(payables, found);
}

/** Reads what is left of the rows that were reinstated since the cutoff, by membership and currency. */
async function readReinstated(
  db: Db,
  { publisherId, asOf }: PayoutScope,
  payables: readonly PlannedPayable[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ membership_id: MembershipId; currency: string; left_minor: string }>`
    select p.membership_id, p.currency, sum(p.share_minor - p.reversed_minor)::text as left_minor
    from (
      select distinct attribution_id
      from reinstatement
      where publisher_id = ${publisherId} and reinstatement_id >= ${rowIdFloor(asOf)}::uuid and created_at > ${asOf}
        and gross_minor > 0
    ) i
    join payment p on p.publisher_id = ${publisherId} and p.attribution_id = i.attribution_id
    where p.membership_id = any(${payables.flatMap(({ membershipIds }) => membershipIds)}::uuid[])
      and p.payout_batch_id is null
    group by 1, 2`.execute(db);
  return new Map(rows.map((row) => [`${row.membership_id} ${row.currency}`, BigInt(row.left_minor)]));
}

/** Collects the reasons of all memberships of each member. */
const byMember = (
  payables: readonly PlannedPayable[],
  found: ReadonlyMap<string, ChangeReason[]>,
): ReadonlyMap<string, ChangeReason[]> =>
  new Map(
    payables.map((each) => [
      keyOf(each),
      [...new Set(each.membershipIds.flatMap((id) => found.get(`${id} ${each.currency}`) ?? []))],
    ]),
  );

const words: Readonly<Record<ChangeReason, string>> = {
  hold: 'hold placed',
  release: 'hold released',
  reinstatement: 'refund reinstated',
  Refund: 'refund',
  Fraud: 'fraud',
  Chargeback: 'chargeback',
  merge: 'members merged',
  purchases: 'new purchases',
  bounties: 'bounties',
  clawback: 'clawback',
  minimum: 'below the minimum',
};

const inWords = ({ memberId, name, currency, beforeMinor, afterMinor, reasons }: ChangedMember): string =>
  `${memberId} (${name}): ${formatMinorUnits(BigInt(beforeMinor), currency)} → ${major(afterMinor, currency)}` +
  (reasons.length === 0 ? '' : ` (${reasons.map((reason) => words[reason]).join(', ')})`);

const major = (minor: string, currency: string): string =>
  `${formatMinorUnits(BigInt(minor), currency)} ${currency}`;
