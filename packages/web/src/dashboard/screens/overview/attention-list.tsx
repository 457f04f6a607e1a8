import { Group, List, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Attention } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { formatUtcDay, When } from '../../../ui/when.tsx';
import { useGroupNames } from '../../group-name.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { notPaidYet } from '../payouts/payout-choices.ts';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { LinesSkeleton } from './skeletons.tsx';
import { useAttention } from './use-attention.ts';

/** Age above which unposted purchases need attention. Posting normally takes seconds. */
const longUnpostedMs = 60_000;

export function AttentionList() {
  const { may } = usePublisher();
  const { data, error, dataUpdatedAt } = useAttention();
  const nameOf = useGroupNames();
  const { group } = useUrlState().query;
  const items =
    data === undefined
      ? []
      : itemsOf(data, { now: dataUpdatedAt, nameOf, group, maySeeEndpoints: may('webhooks') });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Needs attention')}>
      <Title order={2} size="h4" mb="xs">
        {t('Needs attention')}
      </Title>
      {data === undefined && (error === null ? <LinesSkeleton count={3} /> : <NotAvailable />)}
      {data !== undefined && items.length === 0 && (
        <Group gap="xs">
          <Icon name="check" size={16} />
          <Text size="sm">{t('Nothing needs your attention.')}</Text>
        </Group>
      )}
      <List size="sm" spacing="xs" className={classes.marked}>
        {items.map(({ key, content, isTask }) => (
          <List.Item key={key} icon={<Mark isTask={isTask} />}>
            {content}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** Icon for a failure, or for work that is waiting for a person. */
const Mark = ({ isTask = false }: { isTask: boolean | undefined }) => (
  <Text span c={isTask ? 'dimmed' : 'red'} className={classes.mark}>
    <Icon name={isTask ? 'pending' : 'alert'} size={16} />
  </Text>
);

interface Reader {
  now: number;
  nameOf: (groupId: string) => string;
  /** Group that the screen shows; undefined for all groups. */
  group: string | undefined;
  maySeeEndpoints: boolean;
}

interface Item {
  key: string;
  /** True for ordinary work, such as a payout that is due; absent for a failure. */
  isTask?: true;
  content: ReactNode;
}

function itemsOf(
  {
    endpoints,
    unpostedSince,
    due,
    overdue,
    unpaidPayouts,
    unpaidTotals,
    returnedLines,
    returnedTotals,
    waitingPayees,
    disputedPayees,
    endingClearances,
    applicants,
    erasures,
    ledgerUnsoundSince,
    disabledChannels,
  }: Attention,
  { now, nameOf, group, maySeeEndpoints }: Reader,
): Item[] {
  const items: Item[] = [];
  if (ledgerUnsoundSince !== null)
    items.push({
      key: 'ledger',
      content: (
        <>
          <ScreenLink screen="ledger">{t('The ledger has an unexplained difference')}</ScreenLink>{' '}
          {t('since')} <When at={ledgerUnsoundSince} />
        </>
      ),
    });
  const failing: Item[] = endpoints.map(({ endpointId, failingSince, disabledReason }) => {
    const words =
      disabledReason === null
        ? t('A webhook endpoint is failing')
        : t('A webhook endpoint is off: {disabledReason}', { disabledReason });
    return {
      key: endpointId,
      content: (
        <>
          {maySeeEndpoints ? (
            <ScreenLink screen={`webhooks/${encodeURIComponent(endpointId)}`}>{words}</ScreenLink>
          ) : (
            words
          )}{' '}
          {failingSince !== null && (
            <>
              {t('since')} <When at={failingSince} />
            </>
          )}
        </>
      ),
    };
  });
  items.push(...failing);
  if (disabledChannels > 0)
    items.push({
      key: 'channels',
      content: (
        <ScreenLink screen="settings">
          {t(
            '{count, plural, one {# channel was} other {# channels were}} disabled because messages failed',
            {
              count: disabledChannels,
            },
          )}
        </ScreenLink>
      ),
    });
  if (unpostedSince !== null && now - Date.parse(unpostedSince) > longUnpostedMs)
    items.push({
      key: 'unposted',
      content: (
        <>
          <ScreenLink screen="ledger">{t('Purchases are waiting to be posted')}</ScreenLink> {t('since')}{' '}
          <When at={unpostedSince} precision="second" />
        </>
      ),
    });
  for (const { groupId, memberCount } of applicants)
    items.push({
      key: `applicants ${groupId}`,
      isTask: true,
      content: (
        <ScreenLink screen="creators" query={{ group: groupId, tab: 'pending' }}>
          {t('{count, plural, one {# creator is} other {# creators are}} waiting for approval in {group}', {
            count: memberCount,
            group: nameOf(groupId),
          })}
        </ScreenLink>
      ),
    });
  for (const { groupId, plannedFor } of overdue)
    items.push({
      key: `overdue ${groupId}`,
      isTask: true,
      content: (
        <ScreenLink screen="payouts" query={{ group: groupId }}>
          {t('The payout of {group} was planned for {day}', {
            group: nameOf(groupId),
            day: formatUtcDay(plannedFor),
          })}
        </ScreenLink>
      ),
    });
  const [firstDue] = due;
  if (firstDue !== undefined)
    items.push({
      key: 'due',
      isTask: true,
      content: (
        <ScreenLink screen="payouts" query={{ group }}>
          {t('Payouts are due in {groups}, in {count, plural, one {{currency}} other {# currencies}}', {
            groups: namesOf(new Set(due.map(({ groupId }) => groupId)), nameOf),
            count: new Set(due.map(({ currency }) => currency)).size,
            currency: firstDue.currency,
          })}
        </ScreenLink>
      ),
    });
  if (unpaidPayouts > 0)
    items.push({
      key: 'unpaid',
      isTask: true,
      content: (
        <ScreenLink screen="payouts/made" query={{ group, status: notPaidYet }}>
          {t(
            '{count, plural, one {# payout hasn’t} other {# payouts haven’t}} been marked as paid: {amounts}',
            {
              count: unpaidPayouts,
              amounts: amountsOf(unpaidTotals),
            },
          )}
        </ScreenLink>
      ),
    });
  if (returnedLines > 0)
    items.push({
      key: 'returned',
      isTask: true,
      content: (
        <ScreenLink screen="payouts" query={{ group }}>
          {t(
            '{count, plural, one {# payment failed or was returned. The next payout pays it} other {# payments failed or were returned. The next payout pays them}} again: {amounts}',
            { count: returnedLines, amounts: amountsOf(returnedTotals) },
          )}
        </ScreenLink>
      ),
    });
  if (disputedPayees > 0)
    items.push({
      key: 'disputed',
      content: (
        <ScreenLink screen="payouts/tax" query={{ show: 'review' }}>
          {t(
            '{count, plural, one {# creator says} other {# creators say}} that someone else changed the payout method',
            { count: disputedPayees },
          )}
        </ScreenLink>
      ),
    });
  if (waitingPayees > 0)
    items.push({
      key: 'payees',
      isTask: true,
      content: (
        <ScreenLink screen="payouts/payees">
          {t('{count, plural, one {# payout method needs} other {# payout methods need}} a second person', {
            count: waitingPayees,
          })}
        </ScreenLink>
      ),
    });
  if (endingClearances > 0)
    items.push({
      key: 'clearances',
      isTask: true,
      content: (
        <ScreenLink screen="payouts/tax" query={{ show: 'ending' }}>
          {t('{count, plural, one {# tax clearance ends} other {# tax clearances end}} within 30 days', {
            count: endingClearances,
          })}
        </ScreenLink>
      ),
    });
  for (const { memberId, name, dueAt } of erasures)
    items.push({
      key: `erasure ${memberId}`,
      isTask: true,
      content: (
        <>
          <ScreenLink screen="creators" query={{ group, open: memberId }}>
            {t('{name} asked to be erased', { name })}
          </ScreenLink>{' '}
          {Date.parse(dueAt) > now
            ? t('on {day}. Pay what you owe before.', { day: formatUtcDay(dueAt) })
            : t('and the time is over. Pay what you owe, so that it can happen.')}
        </>
      ),
    });
  return items;
}

/** Number of currencies whose sums fit in a line. */
const maxAmounts = 3;

const amountsOf = (totals: Attention['unpaidTotals']): string => {
  const shown = totals.slice(0, maxAmounts).map((each) => formatMoney(each.totalMinor, each.currency));
  const more = totals.length - maxAmounts;
  if (more > 0) shown.push(t('{more, plural, one {# more currency} other {# more currencies}}', { more }));
  return new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(shown);
};

/** Names up to three groups; more are only counted, so that the line stays short. */
const namesOf = (groupIds: ReadonlySet<string>, nameOf: Reader['nameOf']): string =>
  groupIds.size > 3
    ? t('{count, plural, one {# group} other {# groups}}', { count: groupIds.size })
    : new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format([...groupIds].map(nameOf));
