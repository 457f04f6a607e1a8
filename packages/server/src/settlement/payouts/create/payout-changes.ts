import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';
import type { PreviewOver } from './preview-over.ts';

/** Reasons why a member would be paid another amount now. */
export const changeReasons = [
  'Refund',
  'Fraud',
  'Chargeback',
  'merge',
  'purchases',
  'bounties',
  'clawback',
  'minimum',
] as const;
export type ChangeReason = (typeof changeReasons)[number];

/** A member's payment as the preview showed it, and as it would be now; "0" for none. */
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

/** Facts of a refusal to pay a preview, for programs; amounts as text, in minor units. */
export interface PayoutChange {
  /** members: amounts changed. payout: another one was made since. terms: hold period, minimums or the sandbox's clock. */
  cause: 'members' | 'payout' | 'terms';
  /** The other payout. */
  payoutId: string | null;
  /** `before` is null where it can't be calculated any more. */
  currencies: { currency: string; isChanged: boolean; before: PayoutSum | null; after: PayoutSum }[];
  /** Largest difference first. */
  members: ChangedMember[];
  /** All changed members, listed or not. */
  changedCount: number;
}

/** Members that a refusal names; a payout of thousands needs no longer answer. */
const maxMembers = 50;
/** Members that the message names. */
const maxNamed = 20;

/** Turns a preview that is over into a refusal that says what changed, compared with what would be paid now. */
export async function explainChange(
  db: Db,
  request: PayoutRequest,
  { changeCause: cause, payoutId, message, plan }: PreviewOver,
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

/** Only where a change blocks a currency: of another one, purchases that came since change nothing. */
async function compare(
  db: Db,
  scope: PayoutScope,
  planned: readonly PlannedPayable[],
  fresh: readonly PlannedPayable[],
): Promise<ChangedMember[]> {
  const blocking = planned.filter((each) => each.isDue && (each.reversedMinor > 0n || each.isUnclear));
  const blocked = new Set(blocking.map(({ currency }) => currency));
  const actions = await readReversals(db, scope, blocking);
  const now = new Map(fresh.map((each) => [keyOf(each), each]));
  const before = new Map(planned.map((each) => [keyOf(each), each]));
  // Those that others merged into since, and those that merged into others.
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
      const who = other ?? one;
      if (who === undefined || !blocked.has(who.currency)) return [];
      const [paidBefore, paidAfter] = [paidOf(one), paidOf(other)];
      if (paidBefore === paidAfter && !(one !== undefined && blocking.includes(one))) return [];
      const isMerged =
        one?.isUnclear === true || merged.has(who.membershipId) || wasMerged.has(who.membershipId);
      const left = (one?.paymentsMinor ?? 0n) - (one?.reversedMinor ?? 0n);
      const reasons: ChangeReason[] = [
        ...((one && actions.get(keyOf(one))) ?? []),
        ...(isMerged ? (['merge'] as const) : []),
        ...((other?.paymentsMinor ?? 0n) > left ? (['purchases'] as const) : []),
        ...((other?.rewardsMinor ?? 0n) > (one?.rewardsMinor ?? 0n) ? (['bounties'] as const) : []),
        ...((other?.adjustmentsMinor ?? 0n) < (one?.adjustmentsMinor ?? 0n) ? (['clawback'] as const) : []),
        ...(paidAfter === 0n && (other?.amountMinor ?? 0n) > 0n ? (['minimum'] as const) : []),
      ];
      const { memberId, name, currency } = who;
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

/** Reads by what members' money went back since the preview. */
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
      and p.membership_id = any(${payables.flatMap(({ membershipIds }) => membershipIds)}::uuid[])
    group by 1, 2`.execute(db);
  const found = new Map(rows.map((row) => [`${row.membership_id} ${row.currency}`, row.actions]));
  return new Map(
    payables.map((each) => [
      keyOf(each),
      [...new Set(each.membershipIds.flatMap((id) => found.get(`${id} ${each.currency}`) ?? []))],
    ]),
  );
}

const words: Readonly<Record<ChangeReason, string>> = {
  Refund: 'refund',
  Fraud: 'fraud',
  Chargeback: 'chargeback',
  merge: 'members merged',
  purchases: 'new purchases',
  bounties: 'bounties',
  clawback: 'money taken back',
  minimum: 'below the minimum',
};

const inWords = ({ memberId, name, currency, beforeMinor, afterMinor, reasons }: ChangedMember): string =>
  `${memberId} (${name}): ${formatMinorUnits(BigInt(beforeMinor), currency)} → ${major(afterMinor, currency)}` +
  (reasons.length === 0 ? '' : ` (${reasons.map((reason) => words[reason]).join(', ')})`);

const major = (minor: string, currency: string): string =>
  `${formatMinorUnits(BigInt(minor), currency)} ${currency}`;
