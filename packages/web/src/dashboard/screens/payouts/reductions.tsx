import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listPayoutReductionsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout, PayoutReduction } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { reasonWords } from './change-words.ts';
import { isUnderWay } from './payout-status.tsx';
import classes from './payouts.module.css';

const maxRows = 100;

/** Creators whom a payout pays less than its preview showed; nothing if there are none. */
export function PayoutReductions({ payout }: { payout: Payout }) {
  const { publisherId } = usePublisher();
  const asked = useQuery({
    ...listPayoutReductionsOptions({
      path: { publisherId, payoutId: payout.payoutId },
      query: { limit: maxRows },
    }),
    refetchInterval: isUnderWay(payout) ? 2_000 : false,
  });
  const { data, error } = asked;
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the lower amounts')}
        onRetry={() => void asked.refetch()}
      />
    );
  if (data === undefined) return null;
  return <Reductions rows={data.rows} hasMore={data.nextCursor !== null} />;
}

/** Table of creators who are paid less than a preview showed. */
export function Reductions({ rows, hasMore }: { rows: readonly PayoutReduction[]; hasMore: boolean }) {
  if (rows.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={t('Less than in the preview')}>
      <Title order={2} size="h4">
        {t('Less than in the preview')}
      </Title>
      <Text size="sm">
        {t('These amounts fell between the preview and the payout. All others are unchanged.')}
      </Text>
      <Scroller label={t('Less than in the preview')}>
        <Table aria-label={t('Less than in the preview')} className={classes.sums}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Creator')}</Table.Th>
              <Table.Th scope="col">{t('Preview')}</Table.Th>
              <Table.Th scope="col">{t('Payout')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ payoutId, memberId, name, currency, previewedMinor, paidMinor, reasons }) => (
              <Table.Tr key={`${payoutId} ${memberId} ${currency}`}>
                <Table.Th scope="row" fw={400}>
                  {name}
                  <Text size="sm" c="dimmed">
                    {reasons.map((reason) => reasonWords()[reason]).join(', ')}
                  </Text>
                </Table.Th>
                <Table.Td>
                  <Money minor={previewedMinor} currency={currency} />
                </Table.Td>
                <Table.Td>
                  <Money minor={paidMinor} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroller>
      {hasMore && <Text size="sm">{t('Only the largest reductions are shown.')}</Text>}
    </Stack>
  );
}
