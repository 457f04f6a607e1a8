import type { GateId, HoldId } from '../../platform/database/tables.generated.ts';
import type { Block, CreatorBlock } from './create/blocks.ts';
import type { PlannedPayable } from './create/payable.ts';

/**
 * Reasons that money waits, in listing order. The first ones are those of `blocksOf`. `repaying`: clawbacks exceed the
 * earnings. `hold-period`: the group's hold period isn't over. `in-payout`: the amount is in a payout that isn't paid yet.
 */
export const waitingKinds = [
  'hold',
  'review',
  'tax',
  'no-method',
  'new-method',
  'minimum',
  'repaying',
  'hold-period',
  'in-payout',
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

export interface WaitingReason {
  kind: WaitingKind;
  /** Time on the publisher's clock at which the reason ends automatically; null if there is none. */
  until: Date | null;
  /** Reason for a hold, or note about a review; null for other reasons. */
  note: string | null;
  /** Number of rows on hold; null for a hold on the creator and for other reasons. */
  rowCount: number | null;
  /** Amount by which the sum is below the minimum; null for other reasons. */
  missingMinor: bigint | null;
  /** Payout that contains the amount; null for other reasons. */
  payout: { payoutId: string; number: number; status: string } | null;
}

/** Waiting amount, with everything that keeps it from being paid. */
export interface WaitingAmount {
  /** Negative if the member is repaying. */
  amountMinor: bigint;
  reasons: WaitingReason[];
}

/** Facts about holds and reviews, which never change. */
export interface WaitingFacts {
  holds: ReadonlyMap<HoldId, { reason: string; endsAt: Date | null }>;
  reviews: ReadonlyMap<GateId, { note: string; until: Date | null }>;
}

/**
 * Maximum number of reasons of the same kind that are listed. A creator can have many holds, each with its own reason.
 */
const maxOfKind = 20;

const reasonOf = (kind: WaitingKind, details: Partial<WaitingReason> = {}): WaitingReason => ({
  kind,
  until: null,
  note: null,
  rowCount: null,
  missingMinor: null,
  payout: null,
  ...details,
});

/**
 * Splits what a payout doesn't pay of a member's amounts past their hold period into waiting amounts, each with all of
 * its reasons. These amounts and the amount that the payout pays add up to everything past its hold period.
 */
export function waitingOf(planned: PlannedPayable, facts: WaitingFacts): WaitingAmount[] {
  const { amountMinor, blocks, held, creatorBlocks } = planned;
  const waiting: WaitingAmount[] = [];
  if (blocks.length > 0) waiting.push({ amountMinor, reasons: describe(blocks, planned, facts) });
  if (amountMinor < 0n) waiting.push({ amountMinor, reasons: [reasonOf('repaying')] });
  if (held.amountMinor > 0n)
    waiting.push({
      amountMinor: held.amountMinor,
      reasons: [...holdsOfRows(planned, facts), ...describe(creatorBlocks, planned, facts)],
    });
  return waiting;
}

/** Adds an amount in its hold period, if there is one, with everything else that would keep it out of a payout today. */
export const inHoldPeriod = (
  amountMinor: bigint,
  until: Date | null,
  creator: readonly WaitingReason[] = [],
): WaitingAmount[] =>
  amountMinor === 0n ? [] : [{ amountMinor, reasons: [reasonOf('hold-period', { until }), ...creator] }];

export const inPayout = (
  amountMinor: bigint,
  payout: { payoutId: string; number: number; status: string },
): WaitingAmount => ({ amountMinor, reasons: [reasonOf('in-payout', { payout })] });

/** Facts about a creator that `describe` needs. */
export type DescribedCreator = Pick<
  PlannedPayable,
  'memberHoldIds' | 'reviewIds' | 'methodUsableFrom' | 'amountMinor' | 'minimumMinor'
>;

/** Describes blocks, with one reason for each hold and review. */
export function describe(
  blocks: readonly (Block | CreatorBlock)[],
  { memberHoldIds, reviewIds, methodUsableFrom, amountMinor, minimumMinor }: DescribedCreator,
  { holds, reviews }: WaitingFacts,
): WaitingReason[] {
  const describeOne: Readonly<Record<Block, () => WaitingReason[]>> = {
    hold: () =>
      memberHoldIds.slice(0, maxOfKind).map((id) => {
        const { reason, endsAt } = known(holds.get(id));
        return reasonOf('hold', { until: endsAt, note: reason });
      }),
    review: () => reviewIds.slice(0, maxOfKind).map((id) => reasonOf('review', known(reviews.get(id)))),
    tax: () => [reasonOf('tax')],
    'no-method': () => [reasonOf('no-method')],
    'new-method': () => [reasonOf('new-method', { until: methodUsableFrom })],
    minimum: () => [reasonOf('minimum', { missingMinor: minimumMinor - amountMinor })],
  };
  return blocks.flatMap((block) => describeOne[block]());
}

/** Counts holds on rows by reason and end, the most frequent first. */
function holdsOfRows({ rowHoldIds }: PlannedPayable, { holds }: WaitingFacts): WaitingReason[] {
  const counts = Map.groupBy(
    rowHoldIds.map((id) => known(holds.get(id))),
    ({ reason, endsAt }) => `${endsAt?.toISOString()} ${reason}`,
  );
  return [...counts.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, maxOfKind)
    .flatMap((alike) => {
      const [first] = alike;
      return first === undefined
        ? []
        : [reasonOf('hold', { until: first.endsAt, note: first.reason, rowCount: alike.length })];
    });
}

function known<Fact>(fact: Fact | undefined): Fact {
  if (fact === undefined) throw new Error('a hold or a review disappeared');
  return fact;
}
