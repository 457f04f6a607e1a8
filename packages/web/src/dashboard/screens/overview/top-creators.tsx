import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listTopCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';

/** Who earned the most, five of each currency. */
export function TopCreators({ period }: { period: { from: string; until: string } }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { data, error, refetch } = useQuery(
    listTopCreatorsOptions({ path: { publisherId }, query: { group: query.group, ...period } }),
  );
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Top creators')}>
      <Title order={2} size="h4" mb="xs">
        {t('Top creators')}
      </Title>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LateSkeleton lines={5} />}
      {data?.rows.length === 0 && (
        <Text c="dimmed" size="sm">
          {t('Nobody has earned anything in these days.')}
        </Text>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <Table aria-label={t('Top creators')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Creator')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('Earned')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.rows.map(({ creator, currency, shareMinor }) => (
              <Table.Tr key={`${currency} ${creator.memberId}`}>
                <Table.Td>
                  <ScreenLink screen="creators" query={{ group: query.group, open: creator.memberId }}>
                    {creator.name}
                  </ScreenLink>
                </Table.Td>
                <Table.Td ta="end">
                  <Money minor={shareMinor} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
