import type { MonthDifference, ReconciledLine } from '../../../client/types.gen.ts';

/** Amounts of a month that are compared with its files. */
export const kinds = ['earned', 'reversed', 'bounties', 'paid'] as const;
export type Kind = (typeof kinds)[number];

export interface OfCurrency extends Record<Kind, MonthDifference> {
  currency: string;
  clawedBackMinor: string;
}

export const isDifferent = ({
  pageMinor,
  onlyFilesMinor,
  onlyPageMinor,
  filesMinor,
}: MonthDifference): boolean =>
  pageMinor !== filesMinor ||
  [onlyFilesMinor, onlyPageMinor].some((minor) => minor !== null && minor !== '0');

/** Returns whether the files have no amounts, and all that the page has is of purchases booked in another month. */
export const isBookedElsewhere = (all: readonly OfCurrency[]): boolean =>
  all.some(({ earned }) => isDifferent(earned)) &&
  all.every(
    (each) =>
      kinds.every((kind) => each[kind].filesMinor === '0' && each[kind].onlyFilesMinor === '0') &&
      !isDifferent(each.bounties) &&
      !isDifferent(each.paid),
  );

/** Adds up the lines of all groups by currency. */
export const byCurrency = (lines: readonly ReconciledLine[]): OfCurrency[] =>
  [...Map.groupBy(lines, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, some]) => {
      const of = (kind: Kind): MonthDifference => ({
        pageMinor: total(some.map((each) => each[kind].pageMinor)) ?? '0',
        onlyFilesMinor: total(some.map((each) => each[kind].onlyFilesMinor)),
        onlyPageMinor: total(some.map((each) => each[kind].onlyPageMinor)),
        filesMinor: total(some.map((each) => each[kind].filesMinor)) ?? '0',
      });
      return {
        currency,
        earned: of('earned'),
        reversed: of('reversed'),
        bounties: of('bounties'),
        paid: of('paid'),
        clawedBackMinor: total(some.map(({ clawedBackMinor }) => clawedBackMinor)) ?? '0',
      };
    });

/** @returns null if any amount is unknown */
const total = (amounts: readonly (string | null)[]): string | null =>
  amounts.includes(null) ? null : String(amounts.reduce((sum, minor) => sum + BigInt(minor ?? 0), 0n));
