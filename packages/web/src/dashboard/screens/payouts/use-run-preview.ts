import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { previewPayRun } from '../../../client/sdk.gen.ts';
import type { GroupPreview, PayRunPayout, PreviewTotals } from '../../../client/types.gen.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';

/** Groups per request. The service ends a page early if its groups take too long to calculate. */
const groupsPerPage = 250;

export interface RunPreview {
  asOf: string;
  groups: readonly GroupPreview[];
}

/**
 * Loads the preview of all groups, page by page with one cutoff. The cutoff is in the URL, so that a reload shows
 * the same amounts.
 */
export function useRunPreview() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const queryClient = useQueryClient();
  const keyAt = (asOf: string | undefined) => ['pay run preview', publisherId, asOf ?? null];
  const asked = useQuery({
    queryKey: keyAt(query.asOf),
    queryFn: ({ signal }) => load(publisherId, query.asOf, signal),
    retry: false,
    staleTime: 300_000,
  });
  const { data } = asked;
  useEffect(() => {
    if (query.asOf !== undefined || data === undefined) return;
    queryClient.setQueryData(keyAt(data.asOf), data);
    queryClient.removeQueries({ queryKey: keyAt(undefined), exact: true });
    setQuery({ asOf: data.asOf }, 'replace');
  });
  return asked;
}

async function load(
  publisherId: string,
  givenAsOf: string | undefined,
  signal: AbortSignal,
): Promise<RunPreview> {
  const groups: GroupPreview[] = [];
  let asOf = givenAsOf;
  for (let cursor: string | undefined; ; ) {
    const { data } = await previewPayRun({
      path: { publisherId },
      query: { asOf, cursor, limit: groupsPerPage },
      signal,
      throwOnError: true,
    });
    groups.push(...data.groups);
    asOf = data.asOf;
    if (data.nextCursor === null) return { asOf, groups };
    cursor = data.nextCursor;
  }
}

/** Payout that the preview offers: the amounts due in one group and currency. */
export interface Offer extends PayRunPayout {
  memberCount: number;
  /** Number of its creators who have no payout method for it. */
  withoutMethodCount: number;
  /** Sum of their payments. */
  withoutMethodMinor: string;
}

export const keyOf = ({ groupId, currency }: Pick<Offer, 'groupId' | 'currency'>): string =>
  `${currency} ${groupId}`;

export const offersOf = ({ groupId, totals }: GroupPreview): Offer[] =>
  totals
    .filter(({ due }) => due.memberCount > 0)
    .map(({ currency, due, withoutMethodCount, withoutMethodMinor }) => ({
      groupId,
      currency,
      ...due,
      withoutMethodCount,
      withoutMethodMinor,
    }));

/** Selected offers: all except those that the person left out. */
export function useChoice(preview: RunPreview | undefined) {
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const offers = preview?.groups.flatMap(offersOf) ?? [];
  const isChosen = (offer: Pick<Offer, 'groupId' | 'currency'>): boolean => !leftOut.has(keyOf(offer));
  return {
    offers,
    chosen: offers.filter(isChosen),
    isChosen,
    choose(some: readonly Offer[], isWanted: boolean): void {
      const next = new Set(leftOut);
      for (const offer of some)
        if (isWanted) next.delete(keyOf(offer));
        else next.add(keyOf(offer));
      setLeftOut(next);
    },
  };
}

/** Total of payouts in one currency. */
export interface CurrencyTotal {
  currency: string;
  totalMinor: string;
  /** Number of payouts. */
  count: number;
}

/** Adds up payouts by currency. Amounts in different currencies are never added together. */
export const totalsByCurrency = (
  payouts: readonly { currency: string; totalMinor: string }[],
): CurrencyTotal[] =>
  [...Map.groupBy(payouts, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, some]) => ({
      currency,
      totalMinor: String(some.reduce((sum, { totalMinor }) => sum + BigInt(totalMinor), 0n)),
      count: some.length,
    }));

/** Adds up the totals of all groups by currency. Amounts due include only the selected payouts. */
export function sumOfGroups(
  groups: readonly GroupPreview[],
  isChosen: (offer: Pick<Offer, 'groupId' | 'currency'>) => boolean,
): PreviewTotals[] {
  const byCurrency = new Map<string, PreviewTotals>();
  for (const { groupId, totals } of groups)
    for (const each of totals) {
      const { currency } = each;
      const sum = byCurrency.get(currency) ?? noTotals(currency);
      byCurrency.set(currency, {
        currency,
        due: isChosen({ groupId, currency }) ? plus(sum.due, each.due) : sum.due,
        belowMinimum: plus(sum.belowMinimum, each.belowMinimum),
        blocked: plus(sum.blocked, each.blocked),
        repaying: plus(sum.repaying, each.repaying),
        onHold: {
          ...plus(sum.onHold, each.onHold),
          rowCount: sum.onHold.rowCount + each.onHold.rowCount,
        },
        later: plus(sum.later, each.later),
        rowCount: sum.rowCount + each.rowCount,
        smallestDueMinor: smaller(sum.smallestDueMinor, each.smallestDueMinor),
        withoutMethodCount: sum.withoutMethodCount + each.withoutMethodCount,
        withoutMethodMinor: String(BigInt(sum.withoutMethodMinor) + BigInt(each.withoutMethodMinor)),
        repayingLaterMinor: String(BigInt(sum.repayingLaterMinor) + BigInt(each.repayingLaterMinor)),
        repayingName: nameOfOnly(sum, each),
      });
    }
  return [...byCurrency.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

type Sum = PreviewTotals['due'];

/** Returns the name of the creator who is repaying, if there is only one in both. */
const nameOfOnly = (one: PreviewTotals, other: PreviewTotals): string | null =>
  one.repaying.memberCount + other.repaying.memberCount === 1
    ? (one.repayingName ?? other.repayingName)
    : null;

const plus = (one: Sum, other: Sum): Sum => ({
  totalMinor: String(BigInt(one.totalMinor) + BigInt(other.totalMinor)),
  memberCount: one.memberCount + other.memberCount,
});

const none: Sum = { totalMinor: '0', memberCount: 0 };
const noTotals = (currency: string): PreviewTotals => ({
  currency,
  due: none,
  belowMinimum: none,
  blocked: none,
  repaying: none,
  onHold: { ...none, rowCount: 0 },
  later: none,
  rowCount: 0,
  smallestDueMinor: null,
  withoutMethodCount: 0,
  withoutMethodMinor: '0',
  repayingLaterMinor: '0',
  repayingName: null,
});

const smaller = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && BigInt(other) < BigInt(one)) ? other : one;
