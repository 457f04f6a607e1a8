import { Group, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { sumRequestsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { RequestSum } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PauseButton } from '../../../ui/pause-button.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { type PageOf, usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { LinkButton } from '../../link-button.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import classes from './developers.module.css';
import { pollMs } from './live.ts';

const ranges = ['1', '24', '168'] as const;

/**
 * Accepted and rejected requests by operation and key. Reloads every three seconds while the page is visible and
 * not paused.
 */
export function RequestSums() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const [isPaused, setPaused] = useState(false);
  const hours = ranges.find((each) => each === query.hours) ?? '24';
  const sums = usePage({
    ...sumRequestsOptions({ path: { publisherId }, query: { hours: Number(hours) } }),
    refetchInterval: isPaused ? false : pollMs,
  });
  const page = { ...sums, data: sums.data && { ...sums.data, nextCursor: null } } as UseQueryResult<
    PageOf<RequestSum>
  >;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('Counts every request made with your API keys. Counts can lag by up to a minute.')}
      </Text>
      <Group justify="space-between">
        <Group gap="sm">
          <SegmentedControl
            aria-label={t('Time range')}
            value={hours}
            data={[
              { value: '1', label: t('Hour') },
              { value: '24', label: t('Day') },
              { value: '168', label: t('7 days') },
            ]}
            onChange={(value) => setQuery({ hours: value === '24' ? null : value })}
          />
          {sums.data !== undefined && (
            <Text size="sm">
              {t('From')} <When at={sums.data.from} />
            </Text>
          )}
        </Group>
        <PauseButton isPaused={isPaused} onChange={setPaused} />
      </Group>
      <DataTable
        label={t('Requests by operation')}
        columns={columns()}
        page={page}
        rowKey={({ keyId, method, route }: RequestSum) => `${keyId} ${method} ${route}`}
        empty={
          <EmptyState
            icon="developers"
            title={t('No requests')}
            action={
              <LinkButton screen="developers" query={{ tab: 'snippets' }}>
                {t('Copy a snippet')}
              </LinkButton>
            }
          >
            {t('Send a request with an API key. It appears here within a few seconds.')}
          </EmptyState>
        }
      />
    </Stack>
  );
}

const operationOf = ({ method, route }: RequestSum): string => `${method} ${route}`;

/** Link to the rejected requests with this key and operation and, if given, this error. */
function Refused({ sum, code, children }: { sum: RequestSum; code?: string; children: ReactNode }) {
  return (
    <ScreenLink
      isInText
      screen="developers"
      query={{ tab: 'requests', keyId: sum.keyId, operation: operationOf(sum), code }}
    >
      {children}
    </ScreenLink>
  );
}

const columns = (): readonly Column<RequestSum>[] => [
  {
    id: 'operation',
    header: t('Operation'),
    tone: 'strong',
    cell: (sum) => (
      <Text size="sm" inherit span className={classes.path}>
        {operationOf(sum)}
      </Text>
    ),
  },
  {
    id: 'key',
    header: t('Key'),
    tone: 'quiet',
    cell: ({ keyName, keyId }) => keyName ?? keyId,
    noWrap: true,
    isUnderName: true,
  },
  {
    id: 'accepted',
    header: t('Accepted'),
    align: 'end',
    cell: ({ accepted }) => formatCount(accepted),
  },
  {
    id: 'rejected',
    header: t('Rejected'),
    align: 'end',
    cell: (sum) =>
      sum.rejected === 0 ? (
        formatCount(0)
      ) : (
        <Refused sum={sum}>
          <span aria-hidden>{formatCount(sum.rejected)}</span>
          <VisuallyHidden>{t('{count} rejected', { count: formatCount(sum.rejected) })}</VisuallyHidden>
        </Refused>
      ),
  },
  {
    id: 'reason',
    header: t('Errors'),
    isUnderName: 'whole',
    cell: (sum) => <Errors sum={sum} />,
  },
  {
    id: 'last',
    header: t('Last request'),
    tone: 'quiet',
    cell: ({ lastAt }) => <When at={lastAt} />,
    hiddenBelow: 'md',
  },
];

/** Errors of the rejected requests with their counts, most frequent first. */
function Errors({ sum }: { sum: RequestSum }) {
  if (sum.errors.length === 0) return null;
  return (
    <Group gap="0 0.75rem" component="ul" className={classes.errors}>
      {sum.errors.map(({ status, code, count }) => (
        <Text key={`${status} ${code}`} component="li" size="sm" className={classes.whole}>
          {status}{' '}
          <Refused sum={sum} code={code}>
            {code}
          </Refused>{' '}
          <Text span inherit c="dimmed">
            {t('{count}×', { count: formatCount(count) })}
          </Text>
        </Text>
      ))}
    </Group>
  );
}
