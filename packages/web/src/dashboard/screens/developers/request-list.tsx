import { Code, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listKeysOptions, listRequestsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { RefusedRequest } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { RequestDetail } from './request-detail.tsx';

/** Why requests were refused, the newest first: never a body, never a key. */
export function RequestList() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { cursor, keyId, code, requestId } = query;
  const page = usePage(
    listRequestsOptions({
      path: { publisherId },
      query: { keyId, code, requestId, cursor, limit: limitOf(query) },
    }),
  );
  const isFiltered = [keyId, code, requestId].some((each) => each !== undefined);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'Of the last seven days. Of each error code twenty at once are kept, then two a minute; bodies never. A request with a key that was never made is nobody’s, and not here.',
        )}
      </Text>
      <Filters />
      <DataTable
        label={t('Refused requests')}
        columns={columns()}
        page={page}
        rowKey={({ refusedId }: RefusedRequest) => refusedId}
        rowName={({ code: its, requestId: id }) => `${its} ${id}`}
        empty={
          isFiltered ? (
            <EmptyState icon="developers" title={t('No refused request matches')}>
              {t('Take a filter out. What was answered as asked for is not kept.')}
            </EmptyState>
          ) : (
            <EmptyState icon="check" title={t('Nothing was refused')}>
              {t('The next request that is refused is here a second later, with the reason.')}
            </EmptyState>
          )
        }
      />
      <DetailDrawer title={t('Why it was refused')}>
        {(refusedId) => <RequestDetail refusedId={refusedId} />}
      </DetailDrawer>
    </>
  );
}

function Filters() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const keys = useQuery(listKeysOptions({ path: { publisherId }, query: { limit: 250 } }));
  return (
    <Group align="flex-end" mb="md" gap="sm">
      <FilterText name="requestId" isMain label={t('X-Request-Id')} />
      <FilterText name="code" label={t('Code')} placeholder="InvalidInput" />
      <NativeSelect
        label={t('Key')}
        data={[
          { value: '', label: t('All keys') },
          ...(keys.data?.rows ?? []).map(({ keyId, name, hint }) => ({
            value: keyId,
            label: hint === null ? name : `${name} (…${hint})`,
          })),
        ]}
        value={query.keyId ?? ''}
        onChange={({ currentTarget: { value } }) => setQuery({ keyId: value || null })}
      />
    </Group>
  );
}

const columns = (): readonly Column<RefusedRequest>[] => [
  { id: 'at', header: t('When'), cell: ({ at }) => <When at={at} precision="second" />, hiddenBelow: 'xs' },
  {
    id: 'answer',
    header: t('Answer'),
    isWhole: true,
    cell: ({ status, code }) => (
      <Text size="sm" span>
        {status} <Code>{code}</Code>
      </Text>
    ),
  },
  {
    id: 'operation',
    header: t('Operation'),
    cell: ({ method, route }) => `${method} ${route}`,
    hiddenBelow: 'md',
  },
  { id: 'message', header: t('Why'), cell: ({ message }) => message },
  { id: 'key', header: t('Key'), cell: ({ keyName, keyId }) => keyName ?? keyId, hiddenBelow: 'sm' },
];
