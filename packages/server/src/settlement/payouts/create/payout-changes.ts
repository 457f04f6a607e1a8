import type { Db } from '../../../platform/database/database.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import {
  type ChangeReason,
  keyOf,
  noReasons,
  type Reasons,
  readReasons,
  reasonsInWords,
} from './change-reasons.ts';
import type { PlannedPayable } from './payable.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';
import type { PreviewOutdated } from './preview-outdated.ts';
import type { Reductions } from './reductions.ts';
import { type Fall, fallOf, hasChanged, hasFallen, isOutdated, leftOf, stillOwed } from './still-owed.ts';

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

export interface ChangedCurrency {
  currency: string;
  /** False if this currency alone can still be paid as previewed. */
  isChanged: boolean;
  /** True if amounts only fell. The currency can then be paid with the amounts in `after`, by a request that isn't exact. */
  onlyFell: boolean;
  /** As previewed; null if it can no longer be calculated. */
  before: PayoutSum | null;
  /** Amounts left of the preview if amounts only fell; otherwise the amounts due now. */
  after: PayoutSum;
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
  currencies: ChangedCurrency[];
  /** Number of refunds, holds, and members who are kept out by a gate, that made amounts fall, by reason. */
  causes: { reason: ChangeReason; count: number }[];
  /** Changed members, largest difference first. */
  members: ChangedMember[];
  /** Number of changed members, including those not listed. */
  changedCount: number;
}

/** Maximum number of members in the details. A payout can have thousands. */
const maxMembers = 50;
const maxNamed = 20;

/**
 * Returns the error for an outdated preview. If amounts only fell, the error lists what a payout based on the preview
 * would still pay; otherwise, it lists everything that would change in a payout created now.
 */
export async function explainChange(
  db: Db,
  request: PayoutRequest,
  { changeCause: cause, payoutId, message, plan }: PreviewOutdated,
): Promise<Refusal> {
  const planned = plan?.payables ?? [];
  const outdated = new Set(planned.filter(isOutdated).map(({ currency }) => currency));
  const fallen = planned.filter((each) => hasFallen(each) && !outdated.has(each.currency));
  const haveOnlyFallen = fallen.length > 0 && outdated.size === 0;
  const now = haveOnlyFallen ? [] : (await planPayout(db, { ...request, asOf: null })).payables;
  const blocking = planned.filter((each) => outdated.has(each.currency) && hasChanged(each));
  const found =
    plan === null
      ? noReasons
      : await readReasons(db, {
          scope: plan.scope,
          payables: [...fallen, ...blocking],
          since: plan.scope.asOf,
          batchIds: [],
        });
  const members = [
    ...fallen.map((each) => fallOf(each, leftOf(each), found.ofMembers)).map(toChanged),
    ...compare({ planned, now, blocking, reasons: found.ofMembers }),
  ].sort(largestFirst);
  const currencies = currenciesOf(plan === null ? null : planned, now, { fallen, outdated });
  const facts: PayoutChange = {
    cause,
    payoutId,
    currencies,
    causes: [...found.counts, ...gatedMembers(fallen)].map(([reason, count]) => ({ reason, count })),
    members: members.slice(0, maxMembers).map(inText),
    changedCount: members.length,
  };
  const sums = currencies.map(
    ({ currency, after }) => `${major(after.totalMinor, currency)} to ${after.memberCount} member(s)`,
  );
  const lines = [
    haveOnlyFallen
      ? `Amounts fell since the preview. Nothing was paid. Repeat the request without \`exactly\` to pay what is left of them, or preview the payout again.`
      : message,
    ...members.slice(0, maxNamed).map(inText).map(inWords),
    ...(members.length > maxNamed ? [`and ${members.length - maxNamed} more`] : []),
    `${haveOnlyFallen ? 'Left' : 'Due now'}: ${sums.length === 0 ? 'nothing' : sums.join('; ')}.`,
  ];
  return new Refusal('Conflict', lines.join('\n  '), { facts: { payoutChange: facts } });
}

/** Counts the members who are kept out by a gate since the preview, each once even if they are paid in several currencies. */
function gatedMembers(fallen: readonly PlannedPayable[]): [ChangeReason, number][] {
  const gated = new Set(fallen.filter((each) => each.isGatedSince).map(({ membershipId }) => membershipId));
  return gated.size === 0 ? [] : [['gate', gated.size]];
}

/** Returns the error for a payout in one currency in which nothing is left to pay. */
export function nothingLeft(currency: string, { count, totals, members }: Reductions): Refusal {
  const before = totals.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const facts: PayoutChange = {
    cause: 'members',
    payoutId: null,
    currencies: [
      {
        currency,
        isChanged: true,
        onlyFell: true,
        before: { totalMinor: String(before), memberCount: count },
        after: { totalMinor: '0', memberCount: 0 },
      },
    ],
    causes: [],
    members: members.slice(0, maxMembers).map(({ memberId, name, previewedMinor, reasons }) => ({
      ...{ memberId, name, currency, reasons },
      ...{ beforeMinor: String(previewedMinor), afterMinor: '0' },
    })),
    changedCount: count,
  };
  return new Refusal('Conflict', 'Nothing is left of the amounts in the preview. Nothing was paid.', {
    facts: { payoutChange: facts },
  });
}

/** @param planned null if the preview can no longer be calculated */
function currenciesOf(
  planned: readonly PlannedPayable[] | null,
  now: readonly PlannedPayable[],
  { fallen, outdated }: { fallen: readonly PlannedPayable[]; outdated: ReadonlySet<string> },
): ChangedCurrency[] {
  return [...new Set([...(planned ?? []), ...now].map(({ currency }) => currency))]
    .sort()
    .map((currency) => {
      const isOutdatedNow = planned === null || outdated.has(currency);
      const onlyFell = fallen.some((each) => each.currency === currency);
      return {
        currency,
        isChanged: isOutdatedNow || onlyFell,
        onlyFell,
        before: planned === null ? null : sumOf(planned, currency, paidOf),
        after: isOutdatedNow ? sumOf(now, currency, paidOf) : sumOf(planned, currency, stillOwed),
      };
    })
    .filter(({ before, after }) => (before?.memberCount ?? 0) > 0 || after.memberCount > 0);
}

type Change = Omit<ChangedMember, 'beforeMinor' | 'afterMinor'> & { beforeMinor: bigint; afterMinor: bigint };

const toChanged = ({
  payable: { memberId, name, currency },
  beforeMinor,
  afterMinor,
  reasons,
}: Fall): Change => ({
  memberId,
  name,
  currency,
  beforeMinor,
  afterMinor,
  reasons,
});

const inText = (change: Change): ChangedMember => ({
  ...change,
  beforeMinor: String(change.beforeMinor),
  afterMinor: String(change.afterMinor),
});

function largestFirst(one: Change, other: Change): number {
  const [size = 0n, otherSize = 0n] = [one, other].map((each) => distance(each.beforeMinor, each.afterMinor));
  return size === otherSize ? 0 : size > otherSize ? -1 : 1;
}

interface Comparison {
  planned: readonly PlannedPayable[];
  /** Amounts due now. */
  now: readonly PlannedPayable[];
  /** Members in the currencies to compare whose amounts can't be paid as previewed. */
  blocking: readonly PlannedPayable[];
  reasons: Reasons;
}

/**
 * Compares members only in currencies where a change blocks the payout. In other currencies, new purchases don't affect
 * the preview.
 */
function compare({ planned, now: fresh, blocking, reasons: found }: Comparison): Change[] {
  const blocked = new Set(blocking.map(({ currency }) => currency));
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
      const [paidBefore, paidAfter] = [one ? paidOf(one) : 0n, other ? paidOf(other) : 0n];
      if (paidBefore === paidAfter && !(one !== undefined && blocking.includes(one))) return [];
      const isMerged =
        one?.isUnclear === true || merged.has(member.membershipId) || wasMerged.has(member.membershipId);
      const released = one?.isReleasedSince ? one.held.amountMinor : 0n;
      const left = (one?.paymentsMinor ?? 0n) - (one?.reversedMinor ?? 0n) + released;
      const known = (one && found.get(keyOf(one))) ?? [];
      // The payments also include what was reinstated.
      const haveMore = !known.includes('reinstatement') && (other?.paymentsMinor ?? 0n) > left;
      const reasons: ChangeReason[] = [
        ...known,
        ...(isMerged ? (['merge'] as const) : []),
        ...(haveMore ? (['purchases'] as const) : []),
        ...((other?.rewardsMinor ?? 0n) > (one?.rewardsMinor ?? 0n) ? (['bounties'] as const) : []),
        ...((other?.adjustmentsMinor ?? 0n) < (one?.adjustmentsMinor ?? 0n) ? (['clawback'] as const) : []),
        ...(paidAfter === 0n && other?.memberHoldIds.length === 0 && other.amountMinor > 0n
          ? (['minimum'] as const)
          : []),
      ];
      const { memberId, name, currency } = member;
      return [{ memberId, name, currency, beforeMinor: paidBefore, afterMinor: paidAfter, reasons }];
    });
}

const paidOf = (payable: PlannedPayable): bigint => (payable.isDue ? payable.amountMinor : 0n);
const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

function sumOf(
  payables: readonly PlannedPayable[],
  currency: string,
  paid: (payable: PlannedPayable) => bigint,
): PayoutSum {
  const amounts = payables
    .filter((each) => each.currency === currency)
    .map(paid)
    .filter((amount) => amount > 0n);
  return {
    totalMinor: String(amounts.reduce((total, amount) => total + amount, 0n)),
    memberCount: amounts.length,
  };
}

const inWords = ({ memberId, name, currency, beforeMinor, afterMinor, reasons }: ChangedMember): string =>
  `${memberId} (${name}): ${formatMinorUnits(BigInt(beforeMinor), currency)} → ${major(afterMinor, currency)}${reasonsInWords(reasons)}`;

const major = (minor: string, currency: string): string =>
  `${formatMinorUnits(BigInt(minor), currency)} ${currency}`;
