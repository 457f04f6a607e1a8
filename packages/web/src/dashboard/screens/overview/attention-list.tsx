import { Group, List, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Attention } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { useGroupNames } from '../../group-name.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { NotAvailable } from './load-errors.tsx';
import { useAttention } from './use-attention.ts';

/** Age above which unposted purchases need attention. Posting normally takes seconds. */
const longUnpostedMs = 60_000;

export function AttentionList() {
  const { may } = usePublisher();
  const { data, error, dataUpdatedAt } = useAttention();
  const nameOf = useGroupNames();
  const items =
    data === undefined ? [] : itemsOf(data, { now: dataUpdatedAt, nameOf, maySeeEndpoints: may('webhooks') });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Needs attention')}>
      <Title order={2} size="h4" mb="xs">
        {t('Needs attention')}
      </Title>
      {data === undefined && (error === null ? <LateSkeleton lines={3} /> : <NotAvailable />)}
      {data !== undefined && items.length === 0 && (
        <Group gap="xs">
          <Icon name="check" size={16} />
          <Text size="sm">{t('Nothing needs your attention.')}</Text>
        </Group>
      )}
      <List size="sm" spacing="xs">
        {items.map(({ key, content }) => (
          <List.Item key={key}>{content}</List.Item>
        ))}
      </List>
    </Paper>
  );
}

interface Reader {
  now: number;
  nameOf: (groupId: string) => string;
  maySeeEndpoints: boolean;
}

interface Item {
  key: string;
  content: ReactNode;
}

function itemsOf(
  { endpoints, unpostedSince, due, unpaidPayouts, applicants }: Attention,
  { now, nameOf, maySeeEndpoints }: Reader,
): Item[] {
  const items: Item[] = endpoints.map(({ endpointId, failingSince, disabledReason }) => {
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
      content: (
        <ScreenLink screen="creators" query={{ group: groupId, tab: 'pending' }}>
          {t('{count, plural, one {# creator is} other {# creators are}} waiting for approval in {group}', {
            count: memberCount,
            group: nameOf(groupId),
          })}
        </ScreenLink>
      ),
    });
  for (const groupId of new Set(due.map((each) => each.groupId)))
    items.push({
      key: `due ${groupId}`,
      content: (
        <>
          <ScreenLink screen="payouts" query={{ group: groupId }}>
            {t('Creators can be paid in {group}', { group: nameOf(groupId) })}
          </ScreenLink>
          {': '}
          {due
            .filter((each) => each.groupId === groupId)
            .map(({ currency }) => currency)
            .join(', ')}
        </>
      ),
    });
  if (unpaidPayouts > 0)
    items.push({
      key: 'unpaid',
      content: (
        <ScreenLink screen="payouts/made">
          {t('{count, plural, one {# payout hasn’t} other {# payouts haven’t}} been marked as paid', {
            count: unpaidPayouts,
          })}
        </ScreenLink>
      ),
    });
  return items;
}
