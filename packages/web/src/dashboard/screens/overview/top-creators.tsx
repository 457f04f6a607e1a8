import { Group, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listTopCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { Monogram } from '../../../ui/monogram.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { FigureLink } from '../../figure-link.tsx';
import { purchasesOf } from '../../purchases-of.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { countDays, maxRankedDays, type Period, rankedPart } from './period.ts';
import { LinesSkeleton } from './skeletons.tsx';

interface TopCreatorsProps {
  period: Period;
  /** Currency that the screen shows first; undefined if it isn't known. */
  currency: string | undefined;
  /** True if no other currency has purchases in the period. */
  isOnlyCurrency: boolean;
}

export function TopCreators({ period, currency: chosen, isOnlyCurrency }: TopCreatorsProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { data, error } = useQuery(
    listTopCreatorsOptions({ path: { publisherId }, query: { group: query.group, ...rankedPart(period) } }),
  );
  const currency = chosen ?? data?.rows[0]?.currency ?? '';
  const rows = data?.rows.filter((row) => row.currency === currency) ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Top creators')}>
      <Title order={2} size="h4">
        {t('Top creators')}
      </Title>
      <Text c="dimmed" size="sm" mb="xs" mih="1.55em">
        {currency !== '' &&
          (countDays(period) > maxRankedDays
            ? t(
                'By net earnings from purchases in {currency} (Earned + Reversed), last {days} days of the period',
                {
                  currency,
                  days: maxRankedDays,
                },
              )
            : t('By net earnings from purchases in {currency} (Earned + Reversed)', { currency }))}
      </Text>
      {data === undefined && (error === null ? <LinesSkeleton count={5} /> : <NotAvailable />)}
      {data !== undefined && rows.length === 0 && (
        <Text c="dimmed" size="sm">
          {t('No earnings in this period.')}
        </Text>
      )}
      {rows.length > 0 && (
        <Table aria-label={t('Top creators')} verticalSpacing={4} className={classes.names}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Creator')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('Net')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ creator, shareMinor }) => (
              <Table.Tr key={creator.memberId}>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Monogram name={creator.name} id={creator.memberId} size={22} />
                    <ScreenLink screen="creators" query={{ group: query.group, open: creator.memberId }}>
                      {creator.name}
                    </ScreenLink>
                  </Group>
                </Table.Td>
                <Table.Td ta="end">
                  <FigureLink
                    screen="transactions"
                    query={purchasesOf({
                      group: query.group,
                      ...rankedPart(period),
                      creator: creator.memberId,
                      status: 'normal',
                      currency,
                      isOnlyCurrency,
                    })}
                  >
                    <Money minor={shareMinor} currency={currency} />
                  </FigureLink>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
