import { Box, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readPayoutMonthOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { MonthSum, Payout } from '../../../client/types.gen.ts';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { PartsPage } from './parts-page.tsx';
import { PayoutLink } from './payout-link.tsx';
import { PayoutStatus } from './payout-status.tsx';
import classes from './payouts.module.css';

const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

export function MonthView() {
  const { publisherId, may, nowMs } = usePublisher();
  const thisMonth = monthOf(nowMs());
  const { query, setQuery } = useUrlState();
  const month = query.month !== undefined && monthPattern.test(query.month) ? query.month : thisMonth;
  const asked = useQuery({
    ...readPayoutMonthOptions({ path: { publisherId }, query: { month, group: query.group } }),
    placeholderData: keepPreviousData,
  });
  const { data, error } = asked;
  const go = (to: string): void => setQuery({ month: to === thisMonth ? null : to });
  return (
    <PartsPage
      here="month"
      about={t('Purchases by UTC day, payouts by the date they were marked as paid.')}
      actions={
        may('export') && (
          <CsvButton
            path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/payouts/month.csv`}
            query={{ month, group: query.group }}
            label={t('Export month')}
          />
        )
      }
    >
      <Stack gap="lg">
        <Group gap="xs" align="flex-end">
          <Button variant="default" aria-label={t('Previous month')} onClick={() => go(monthFrom(month, -1))}>
            <Icon name="left" size={16} />
          </Button>
          <TextInput
            type="month"
            label={t('Month (UTC)')}
            value={month}
            data-filter
            onChange={({ currentTarget: { value } }) => monthPattern.test(value) && go(value)}
          />
          <Button
            variant="default"
            aria-label={t('Next month')}
            disabled={month >= thisMonth}
            onClick={() => go(monthFrom(month, 1))}
          >
            <Icon name="right" size={16} />
          </Button>
        </Group>
        {error !== null && <ErrorNotice error={error} onRetry={() => void asked.refetch()} />}
        {data === undefined && error === null && <LateSkeleton />}
        {data !== undefined &&
          (data.sums.length + data.payouts.length === 0 ? (
            <EmptyState icon="payouts" title={t('No activity in this month')}>
              {t('No purchases were posted and no payouts were paid in this month. Choose another month.')}
            </EmptyState>
          ) : (
            <>
              <Sums sums={data.sums} />
              <Payouts payouts={data.payouts} areMore={data.areMore} />
            </>
          ))}
      </Stack>
    </PartsPage>
  );
}

function monthFrom(month: string, step: number): string {
  const [year = 1970, index = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, index - 1 + step, 1)).toISOString().slice(0, 7);
}

function Sums({ sums }: { sums: readonly MonthSum[] }) {
  return (
    <Box className={classes.scroller}>
      <Table withTableBorder className={classes.sums} aria-label={t('Totals by group and currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Group')}</Table.Th>
            <Table.Th scope="col">{t('Earned')}</Table.Th>
            <Table.Th scope="col">{t('Reversed since')}</Table.Th>
            <Table.Th scope="col">{t('Bounties')}</Table.Th>
            <Table.Th scope="col">{t('Paid')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sums.map((sum) => (
            <Table.Tr key={`${sum.groupId} ${sum.currency}`}>
              <Table.Th scope="row">
                <GroupName groupId={sum.groupId} />{' '}
                <Text span c="dimmed" size="sm">
                  {sum.currency}
                </Text>
              </Table.Th>
              <Table.Td>
                <Money minor={sum.earnedMinor} currency={sum.currency} />
              </Table.Td>
              <Table.Td>
                <Money minor={negative(sum.reversedMinor)} currency={sum.currency} isSigned />
              </Table.Td>
              <Table.Td>
                <Money minor={sum.bountiesMinor} currency={sum.currency} />
              </Table.Td>
              <Table.Td>
                <Money minor={sum.paidMinor} currency={sum.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

const negative = (minor: string): string => (minor === '0' ? minor : `-${minor}`);

function Payouts({ payouts, areMore }: { payouts: readonly Payout[]; areMore: boolean }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Payouts in this month')}
      </Title>
      {payouts.length === 0 && <Text c="dimmed">{t('No payouts.')}</Text>}
      {payouts.length > 0 && (
        <Box className={classes.scroller}>
          <Table w="auto" aria-label={t('Payouts in this month')}>
            <Table.Tbody>
              {payouts.map(({ payoutId, status, totalMinor, currency, groupId, createdAt, paidAt }) => (
                <Table.Tr key={payoutId}>
                  <Table.Td ta="end">
                    <PayoutLink to={payoutId}>
                      <Money minor={totalMinor} currency={currency} />
                    </PayoutLink>
                  </Table.Td>
                  <Table.Td>
                    <PayoutStatus status={status} />
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <GroupName groupId={groupId} />
                  </Table.Td>
                  <Table.Td>
                    <When at={paidAt ?? createdAt} precision="day" />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      {areMore && <Text size="sm">{t('Not all payouts are shown. The export includes up to 1,000.')}</Text>}
    </Stack>
  );
}
