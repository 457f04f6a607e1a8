import { Alert, Box, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScheduleSimulation, ShareTier, SimulatedTier } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { type PastChoice, pastWindow, type Terms } from './schedule-draft.ts';
import classes from './shares.module.css';
import { simulateShareScheduleOptions } from './simulate.ts';

interface CostPanelProps {
  publisherId: string;
  groupId: string;
  /** Null while a field is missing or invalid. */
  terms: Terms | null;
  tiers: readonly ShareTier[];
  nowMs: number;
}

const typingMs = 300;

export function CostPanel({ publisherId, groupId, terms, tiers, nowMs }: CostPanelProps) {
  const [choice, setChoice] = useState<PastChoice>('same');
  const { zone } = usePreferences();
  const past = terms && pastWindow(choice, terms, nowMs);
  const wanted =
    terms === null || past === null
      ? null
      : {
          groupId,
          revShare: terms.revShare,
          tierShares: terms.tierShares,
          from: new Date(past.from).toISOString(),
          until: new Date(past.until).toISOString(),
        };
  const [settledInput] = useDebouncedValue(JSON.stringify(wanted), typingMs);
  const body = JSON.parse(settledInput) as typeof wanted;
  const cost = useQuery({
    ...simulateShareScheduleOptions(publisherId, body),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });
  const isBehind = cost.isFetching || settledInput !== JSON.stringify(wanted);
  return (
    <Stack gap="xs" component="section" aria-label={t('Cost')}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('Estimated cost')}
        </Title>
        <NativeSelect
          size="xs"
          aria-label={t('Based on purchases from')}
          data={[
            { value: 'same', label: t('Same weekdays, earlier') },
            { value: '28', label: t('The last 28 days') },
            { value: '90', label: t('The last 90 days') },
          ]}
          value={choice}
          onChange={({ currentTarget: { value } }) => setChoice(value as PastChoice)}
        />
      </Group>
      {body !== null && (
        <Text size="sm" c="dimmed">
          {t('Based on purchases from {from} to {until}', {
            from: formatWhen(body.from, zone),
            until: formatWhen(body.until, zone),
          })}
        </Text>
      )}
      {wanted === null ? (
        <Text size="sm">{t('Enter dates and a share to see the cost.')}</Text>
      ) : (
        <Box aria-busy={isBehind} data-cost={isBehind ? 'asking' : 'there'} className={classes.cost}>
          {cost.error !== null && (
            <ErrorNotice
              error={cost.error}
              title={t('Couldn’t load the cost')}
              onRetry={() => void cost.refetch()}
            />
          )}
          {cost.data !== undefined && <Figures cost={cost.data} tiers={tiers} />}
          {cost.data === undefined && cost.error === null && <LateSkeleton lines={3} />}
        </Box>
      )}
    </Stack>
  );
}

function Figures({ cost, tiers }: { cost: ScheduleSimulation; tiers: readonly ShareTier[] }) {
  const { zone } = usePreferences();
  if (cost.rows === 0 && cost.isWhole)
    return (
      <Text size="sm">{t('There were no purchases in this window, so the cost can’t be estimated.')}</Text>
    );
  const sum = (of: (tier: SimulatedTier) => number): number =>
    cost.currencies.flatMap((each) => each.tiers).reduce((total, tier) => total + of(tier), 0);
  return (
    <Stack gap="xs">
      {!cost.isWhole && (
        <Alert color="accent" icon={<Icon name="info" />}>
          {t(
            'The window has too many purchases to include all of them. This estimate covers only the newest {rows, number} purchases, made since {from}. The others would add to the cost.',
            { rows: cost.rows, from: formatWhen(cost.lookedFrom, zone) },
          )}
        </Alert>
      )}
      <Scroller label={t('Estimated cost by currency')}>
        {/* A single table, so that the figures of all currencies line up. */}
        <Table
          className={classes.amounts}
          withRowBorders={false}
          verticalSpacing={4}
          horizontalSpacing={4}
          fz={{ base: 'xs', xs: 'sm' }}
          aria-label={t('Estimated cost by currency')}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Currency')}</Table.Th>
              <Table.Th scope="col">{t('Earned')}</Table.Th>
              <Table.Th scope="col">{t('With schedule')}</Table.Th>
              <Table.Th scope="col">{t('Difference')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {cost.currencies.map((each) => (
            <Table.Tbody key={each.currency}>
              <Table.Tr className={classes.total} data-total={each.currency}>
                <Table.Th scope="rowgroup" fw={600}>
                  {each.currency}
                </Table.Th>
                <Amounts of={each} currency={each.currency} />
              </Table.Tr>
              {each.tiers.map((tier) => (
                <Table.Tr key={tier.tierId}>
                  <Table.Th scope="row" fw={400} className={classes.ofTotal}>
                    {tier.tierId === null
                      ? t('No tier')
                      : (tiers.find(({ tierId }) => tierId === tier.tierId)?.name ?? t('Another tier'))}
                  </Table.Th>
                  <Amounts of={tier} currency={each.currency} />
                </Table.Tr>
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </Scroller>
      <Text size="sm" c="dimmed">
        {t('“Earned” is what these purchases earned, with the schedules at the time.')}
      </Text>
      <Text size="sm" c="dimmed">
        {t(
          '{rows, plural, one {# purchase} other {# purchases}}. Not affected: {sent, number} with their own share, {sku, number} with a SKU share. {reversed, plural, =0 {} one {# reversed purchase is left out.} other {# reversed purchases are left out.}}',
          {
            rows: cost.rows,
            sent: sum(({ sentRows }) => sentRows),
            sku: sum(({ skuRows }) => skuRows),
            reversed: cost.reversedRows,
          },
        )}
      </Text>
    </Stack>
  );
}

const Amounts = ({
  of,
  currency,
}: {
  of: Pick<SimulatedTier, 'before' | 'after' | 'delta'>;
  currency: string;
}) => (
  <>
    <Table.Td>
      <Money minor={of.before} currency={currency} isBare />
    </Table.Td>
    <Table.Td>
      <Money minor={of.after} currency={currency} isBare />
    </Table.Td>
    <Table.Td fw={600}>
      {!of.delta.startsWith('-') && of.delta !== '0' && '+'}
      <Money minor={of.delta} currency={currency} isBare />
    </Table.Td>
  </>
);
