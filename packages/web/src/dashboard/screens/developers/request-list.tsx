import { Code, SegmentedControl, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  groupRequestsOptions,
  listKeysOptions,
  listRequestsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import type { RefusedGroup, RefusedRequest } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, selectFilter, textFilter } from '../../../ui/filter-bar.tsx';
import { unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { type PageOf, usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { CodeLink } from './code-link.tsx';
import classes from './developers.module.css';
import { pollMs } from './live.ts';
import { RequestDetail } from './request-detail.tsx';

/**
 * Rejected requests, newest first. The creator code is the only part of a body that is stored. Keys are never
 * stored.
 */
export function RequestList() {
  const { query } = useUrlState();
  // A request id names a single request, so the rows aren't grouped.
  const isEach = query.each === 'yes' || query.requestId !== undefined;
  return (
    <>
      <Text size="sm" c="dimmed" maw="60rem" mb="sm">
        {t('Most rejected requests from the last 7 days. Requests with an unknown key aren’t stored.')}
      </Text>
      <Filters isEach={isEach} />
      {isEach ? <Each /> : <Grouped />}
      <DetailDrawer title={t('Rejected request')}>
        {(refusedId) => <RequestDetail refusedId={refusedId} />}
      </DetailDrawer>
    </>
  );
}

/** Groups of similar requests, each with its count and the times of its first and last request. */
function Grouped() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { keyId, operation, code, sentCode } = query;
  const groups = usePage({
    ...groupRequestsOptions({ path: { publisherId }, query: { keyId, operation, code, sentCode } }),
    refetchInterval: pollMs,
  });
  const page = { ...groups, data: groups.data && { ...groups.data, nextCursor: null } } as UseQueryResult<
    PageOf<RefusedGroup>
  >;
  return (
    <DataTable
      label={t('Rejected requests')}
      list="requests"
      columns={groupColumns()}
      page={page}
      rowKey={({ refusedId }: RefusedGroup) => refusedId}
      rowName={({ code: its, sentCode: sent, message }) => `${its} ${sent ?? message}`}
      empty={<Nothing />}
    />
  );
}

function Each() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { cursor, keyId, operation, code, sentCode, requestId } = query;
  const page = usePage({
    ...listRequestsOptions({
      path: { publisherId },
      query: { keyId, operation, code, sentCode, requestId, cursor, limit: limitOf(query) },
    }),
    // Only the first page gets new rows.
    refetchInterval: cursor === undefined ? pollMs : false,
  });
  return (
    <DataTable
      label={t('Rejected requests')}
      list="requests"
      columns={columns()}
      page={page}
      rowKey={({ refusedId }: RefusedRequest) => refusedId}
      days={{ column: 'at', at: ({ at }) => at }}
      rowName={({ code: its, requestId: id }) => `${its} ${id}`}
      empty={<Nothing />}
    />
  );
}

function Nothing() {
  const { keyId, operation, code, sentCode, requestId } = useUrlState().query;
  if (sentCode !== undefined)
    return (
      <EmptyState
        icon="developers"
        title={t('No rejected requests with {code}', { code: sentCode })}
        action={
          <ScreenLink isInText screen="creators" query={{ check: sentCode }}>
            {t('Check code “{code}”', { code: sentCode })}
          </ScreenLink>
        }
      >
        {t('None in the last 7 days. Check the code to see whether a purchase with it would be rejected.')}
      </EmptyState>
    );
  if ([keyId, operation, code, requestId].some((each) => each !== undefined))
    return (
      <EmptyState
        icon="developers"
        title={t('No matching requests')}
        action={<ClearFilters names={['keyId', 'operation', 'code', 'requestId']} />}
      >
        {t('Clear a filter. Not all rejected requests are stored, but Activity counts all of them.')}
      </EmptyState>
    );
  return (
    <EmptyState icon="check" title={t('No rejected requests')}>
      {t('A rejected request appears here within a second, with the reason.')}
    </EmptyState>
  );
}

function Filters({ isEach }: { isEach: boolean }) {
  const { publisherId } = usePublisher();
  const { setQuery } = useUrlState();
  const keys = useQuery(listKeysOptions({ path: { publisherId }, query: { limit: 250 } }));
  return (
    <FilterBar
      search={{ name: 'requestId', label: t('X-Request-Id') }}
      filters={[
        textFilter({ name: 'sentCode', label: t('Creator code') }),
        textFilter({
          name: 'code',
          label: t('Error code'),
          placeholder: t('For example {example}', { example: 'InvalidInput' }),
        }),
        textFilter({
          name: 'operation',
          label: t('Operation'),
          placeholder: t('For example {example}', { example: 'POST /v1/attributions/transactions' }),
        }),
        selectFilter({
          name: 'keyId',
          label: t('Key'),
          all: t('All keys'),
          choices: (keys.data?.rows ?? []).map(({ keyId, name, hint }) => [
            keyId,
            hint === null ? name : `${name} (…${hint})`,
          ]),
        }),
      ]}
      arrangement={
        <SegmentedControl
          aria-label={t('Show')}
          value={isEach ? 'each' : 'grouped'}
          data={[
            { value: 'grouped', label: t('Grouped') },
            { value: 'each', label: t('Each request') },
          ]}
          onChange={(value) =>
            setQuery({
              each: value === 'each' ? 'yes' : null,
              open: null,
              ...(value === 'grouped' && { requestId: null }),
            })
          }
        />
      }
    />
  );
}

const answer: Column<RefusedRequest> = {
  id: 'answer',
  header: '',
  cell: ({ status, code }) => (
    <Text size="sm" span className={classes.whole}>
      {status} <Code>{code}</Code>
    </Text>
  ),
};

const shared = (): readonly Column<RefusedRequest>[] => [
  { ...answer, header: t('Response') },
  {
    id: 'sentCode',
    header: t('Creator code'),
    isUnderName: 'first',
    cell: ({ sentCode, groupId }) =>
      sentCode === null ? <span data-none>{unknown}</span> : <CodeLink code={sentCode} groupId={groupId} />,
  },
  {
    id: 'operation',
    header: t('Operation'),
    cell: ({ method, route }) => `${method} ${route}`,
    hiddenBelow: 'xl',
  },
  {
    id: 'message',
    header: t('Message'),
    tone: 'quiet',
    cell: ({ message }) => message,
    isUnderName: 'below',
  },
  {
    id: 'key',
    header: t('Key'),
    tone: 'quiet',
    cell: ({ keyName, keyId }) => keyName ?? keyId,
    hiddenBelow: 'md',
  },
];

const columns = (): readonly Column<RefusedRequest>[] => [
  ...shared(),
  {
    id: 'at',
    header: t('Time'),
    tone: 'quiet',
    align: 'end',
    cell: ({ at }) => <When at={at} precision="second" />,
  },
];

const groupColumns = (): readonly Column<RefusedGroup>[] => [
  // Leaves room for the messages. The drawer shows the operation.
  ...shared().filter(({ id }) => id !== 'operation'),
  {
    id: 'count',
    header: t('Count'),
    align: 'end',
    cell: ({ count }) => formatCount(count),
  },
  {
    id: 'first',
    header: t('First'),
    tone: 'quiet',
    cell: ({ firstAt }) => <When at={firstAt} />,
    hiddenBelow: 'lg',
  },
  { id: 'last', header: t('Last'), tone: 'quiet', cell: ({ at }) => <When at={at} />, isUnderAmount: true },
];
