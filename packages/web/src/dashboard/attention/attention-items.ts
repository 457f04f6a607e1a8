import type { Attention } from '../../client/types.gen.ts';
import { i18n, t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { formatUtcDay } from '../../ui/when.tsx';
import { useGroupNames } from '../group-name.tsx';
import { notPaidYet } from '../screens/payouts/payout-choices.ts';
import { usePublisher } from '../session/session.ts';
import { useAttention } from './use-attention.ts';

/** Age above which unposted purchases need attention. Posting normally takes seconds. */
const longUnpostedMs = 60_000;

export interface AttentionItem {
  key: string;
  /** True for ordinary work, such as a payout that is due; absent for a failure. */
  isTask?: true;
  text: string;
  /** Screen that the item opens; null if the role can't open it. */
  screen: string | null;
  query?: Readonly<Record<string, string | undefined>>;
  /** Time since when it needs attention. */
  since?: string | null;
  /** Sentence about what happens next, or what to do. */
  note?: string;
  amounts?: Attention['unpaidTotals'];
}

/** Loads the items that need attention. @returns `items` is undefined until they are loaded */
export function useAttentionItems(): { items: AttentionItem[] | undefined; error: unknown } {
  const { may } = usePublisher();
  const { data, error, dataUpdatedAt } = useAttention();
  const nameOf = useGroupNames();
  const { group } = useUrlState().query;
  const reader = { now: dataUpdatedAt, nameOf, group, maySeeEndpoints: may('webhooks') };
  return { items: data && [...failuresOf(data, reader), ...tasksOf(data, reader)], error };
}

interface Reader {
  now: number;
  nameOf: (groupId: string) => string;
  /** Group that the screen shows; undefined for all groups. */
  group: string | undefined;
  maySeeEndpoints: boolean;
}

function failuresOf(
  { ledgerUnsoundSince, endpoints, disabledChannels, unpostedSince, disputedPayees }: Attention,
  { now, maySeeEndpoints }: Reader,
): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (ledgerUnsoundSince !== null)
    items.push({
      key: 'ledger',
      text: t('The ledger has an unexplained discrepancy'),
      screen: 'ledger',
      since: ledgerUnsoundSince,
    });
  for (const { endpointId, ...endpoint } of endpoints) {
    const { failingSince, disabledReason, overdueSince, isOffByTeam, lastFailedEventId } = endpoint;
    const isOnlyLate = disabledReason === null && failingSince === null;
    items.push({
      key: endpointId,
      // The team knows of an endpoint that it turned off itself.
      ...(isOffByTeam && { isTask: true }),
      text: isOnlyLate
        ? t('Webhook deliveries are overdue')
        : disabledReason === null
          ? t('A webhook endpoint is failing')
          : t('A webhook endpoint is off: {disabledReason}', { disabledReason }),
      screen: maySeeEndpoints ? `webhooks/${encodeURIComponent(endpointId)}` : null,
      // Its last failed delivery is open, with the receiver's response.
      query: { open: isOnlyLate ? undefined : (lastFailedEventId ?? undefined) },
      since: isOnlyLate ? overdueSince : failingSince,
    });
  }
  if (disabledChannels > 0)
    items.push({
      key: 'channels',
      text: t(
        '{count, plural, one {# channel was} other {# channels were}} disabled because messages failed',
        {
          count: disabledChannels,
        },
      ),
      screen: 'settings',
    });
  if (unpostedSince !== null && now - Date.parse(unpostedSince) > longUnpostedMs)
    items.push({
      key: 'unposted',
      text: t('Purchases are waiting to be posted'),
      screen: 'ledger',
      since: unpostedSince,
    });
  if (disputedPayees > 0)
    items.push({
      key: 'disputed',
      text: t(
        '{count, plural, one {# creator says} other {# creators say}} that someone else changed their payout method',
        { count: disputedPayees },
      ),
      screen: 'payouts/tax',
      query: { show: 'review' },
    });
  return items;
}

function tasksOf(
  {
    applicants,
    overdue,
    due,
    unpaidPayouts,
    unpaidTotals,
    returnedLines,
    returnedTotals,
    waitingPayees,
    endingClearances,
    erasures,
  }: Attention,
  { now, nameOf, group }: Reader,
): AttentionItem[] {
  const items: Omit<AttentionItem, 'isTask'>[] = [];
  const [applied, ...alsoApplied] = applicants;
  if (applied !== undefined) {
    const count = applicants.reduce((sum, { memberCount }) => sum + memberCount, 0);
    const isOneGroup = alsoApplied.length === 0;
    items.push({
      key: 'applicants',
      text: isOneGroup
        ? t('{count, plural, one {# creator is} other {# creators are}} waiting for approval in {group}', {
            count,
            group: nameOf(applied.groupId),
          })
        : t('{count, plural, one {# creator is} other {# creators are}} waiting for approval', { count }),
      screen: 'creators',
      query: { group: isOneGroup ? applied.groupId : group, tab: 'pending' },
    });
  }
  for (const { groupId, plannedFor, withinDays, overdueSince } of overdue)
    items.push({
      key: `overdue ${groupId}`,
      text: t('The payout for {group} is overdue', { group: nameOf(groupId) }),
      screen: 'payouts',
      query: { group: groupId },
      since: overdueSince,
      note:
        withinDays === 0
          ? t('Planned for {day}. Creators were due payments, but no payout has been created.', {
              day: formatUtcDay(plannedFor),
            })
          : t(
              'Planned for {day}, promised within {within, plural, one {# day} other {# days}}. Creators were due payments, but no payout has been created.',
              { day: formatUtcDay(plannedFor), within: withinDays },
            ),
    });
  if (due.length > 0)
    items.push({
      key: 'due',
      text: t('Payouts are due for {groups} in {currencies}', {
        groups: groupsOf(new Set(due.map(({ groupId }) => groupId)), nameOf),
        currencies: currenciesOf(new Set(due.map(({ currency }) => currency))),
      }),
      screen: 'payouts',
      query: { group },
    });
  if (unpaidPayouts > 0)
    items.push({
      key: 'unpaid',
      text: t('{count, plural, one {# payout isn’t} other {# payouts aren’t}} marked as paid', {
        count: unpaidPayouts,
      }),
      screen: 'payouts/made',
      query: { group, status: notPaidYet },
      amounts: unpaidTotals,
    });
  if (returnedLines > 0)
    items.push({
      key: 'returned',
      text: t(
        '{count, plural, one {# payment failed or was returned} other {# payments failed or were returned}}',
        { count: returnedLines },
      ),
      screen: 'payouts',
      query: { group },
      note: t('The next payout includes {count, plural, one {it} other {them}}.', { count: returnedLines }),
      amounts: returnedTotals,
    });
  if (waitingPayees > 0)
    items.push({
      key: 'payees',
      text: t(
        '{count, plural, one {# payout method needs} other {# payout methods need}} approval by a second person',
        { count: waitingPayees },
      ),
      screen: 'payouts/payees',
    });
  if (endingClearances > 0)
    items.push({
      key: 'clearances',
      text: t('{count, plural, one {# tax clearance ends} other {# tax clearances end}} within 30 days', {
        count: endingClearances,
      }),
      screen: 'payouts/tax',
      query: { show: 'ending' },
    });
  for (const { memberId, name, dueAt } of erasures)
    items.push({
      key: `erasure ${memberId}`,
      text: t('{name} asked you to erase their data', { name }),
      screen: 'creators',
      query: { group, open: memberId },
      note:
        Date.parse(dueAt) > now
          ? t('Pay what you owe by {day}.', { day: formatUtcDay(dueAt) })
          : t('The erasure is overdue. It starts once you pay what you owe.'),
    });
  return items.map((item) => ({ ...item, isTask: true }));
}

/** Lists up to three currencies. More are only counted, so that the line stays short. */
const currenciesOf = (codes: ReadonlySet<string>): string =>
  codes.size > 3
    ? t('{count, plural, one {# currency} other {# currencies}}', { count: codes.size })
    : new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(codes);

/** Names a single group. More are only counted, because their names may be long. */
function groupsOf(groupIds: ReadonlySet<string>, nameOf: Reader['nameOf']): string {
  const [first = '', ...others] = groupIds;
  return others.length === 0
    ? nameOf(first)
    : t('{count, plural, one {# group} other {# groups}}', { count: groupIds.size });
}
