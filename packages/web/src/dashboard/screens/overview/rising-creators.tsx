import { Badge, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRisingCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { RisingCreator } from '../../../client/types.gen.ts';
import { lastDayBefore } from '../../../ui/dates/utc-days.ts';
import { Money } from '../../../ui/money.tsx';
import { Monogram } from '../../../ui/monogram.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { purchasesOf } from '../../purchases-of.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { type Comparison, type Period, rankedPart } from './period.ts';
import { LinesSkeleton } from './skeletons.tsx';

interface RisingCreatorsProps {
  period: Period;
  comparison: Comparison;
  currency: string;
  /** True if no other currency has purchases in the period. */
  isOnlyCurrency: boolean;
}

/** Creators who moved up the most places in the ranking by earnings. */
export function RisingCreators({ period, comparison, currency, isOnlyCurrency }: RisingCreatorsProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { data, error } = useQuery(
    listRisingCreatorsOptions({
      path: { publisherId },
      query: {
        group: query.group,
        ...rankedPart(period),
        currency,
        // Without a comparison of the sums, places are still compared with the previous period.
        compare: comparison === 'year' ? 'year' : undefined,
      },
    }),
  );
  // Without earlier places and without newcomers, there was no ranking before.
  const isComparable =
    data === undefined ||
    data.rows.length === 0 ||
    data.rows.some(({ placeBefore, isNew }) => placeBefore !== null || isNew);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Rising creators')}>
      <Title order={2} size="h4">
        {t('Rising creators')}
      </Title>
      <Text c="dimmed" size="sm" mb="xs" mih="1.55em">
        {data !== undefined &&
          (isComparable
            ? t('By net earnings from purchases in {currency} vs. {from} to {last}', {
                currency,
                from: formatUtcDay(data.before.from),
                last: formatUtcDay(lastDayBefore(data.before.until)),
              })
            : t('By net earnings from purchases in {currency}. No earlier earnings to compare', {
                currency,
              }))}
      </Text>
      {data === undefined && (error === null ? <LinesSkeleton count={5} /> : <NotAvailable />)}
      {data?.rows.length === 0 && (
        <Text c="dimmed" size="sm">
          {t('No creators moved up.')}
        </Text>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <Table aria-label={t('Rising creators')} verticalSpacing={4} className={classes.names}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Creator')}</Table.Th>
              <Table.Th scope="col">{t('Rank')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('Net')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.rows.map((row) => (
              <Table.Tr key={row.creator.memberId}>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Monogram name={row.creator.name} id={row.creator.memberId} size={22} />
                    <ScreenLink screen="creators" query={{ group: query.group, open: row.creator.memberId }}>
                      {row.creator.name}
                    </ScreenLink>
                    {row.isNew && <Badge size="sm">{t('New this week')}</Badge>}
                  </Group>
                </Table.Td>
                <Table.Td className={`${classes.figure} ${classes.place}`}>
                  <Place row={row} isComparable={isComparable} />
                </Table.Td>
                <Table.Td ta="end">
                  <FigureLink
                    screen="transactions"
                    query={purchasesOf({
                      group: query.group,
                      ...rankedPart(period),
                      creator: row.creator.memberId,
                      status: 'normal',
                      currency,
                      isOnlyCurrency,
                    })}
                  >
                    <Money minor={row.shareMinor} currency={currency} />
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

/** Rank now and before, or that the creator had none before. */
function Place({
  row: { place, placeBefore, isNew },
  isComparable,
}: {
  row: RisingCreator;
  isComparable: boolean;
}) {
  if (placeBefore === null)
    return (
      <>
        {place}
        {isComparable && !isNew && (
          <Text span size="sm" c="dimmed">
            {' '}
            {t('(was unranked)')}
          </Text>
        )}
      </>
    );
  return (
    <>
      {place}
      <Text span size="sm" c="dimmed">
        {' '}
        {t('(was {before, number})', { before: placeBefore })}
      </Text>
    </>
  );
}
