import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActorSummary, Payout } from '../../../client/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { PayoutLink } from './payout-link.tsx';
import { PayoutStatus } from './payout-status.tsx';
import classes from './payouts.module.css';

export function PayoutFacts({ payout, payRunId }: { payout: Payout; payRunId: string | null }) {
  const { status, totalMinor, currency, memberCount, rowCount, groupId, asOf } = payout;
  return (
    <SimpleGrid component="dl" m={0} className={classes.facts} cols={{ base: 2, sm: 3, lg: 4 }} spacing="md">
      <Fact name={t('Total')}>
        <Text component="span" size="xl" fw={600}>
          <Money minor={totalMinor} currency={currency} />
        </Text>
      </Fact>
      <Fact name={t('Status')}>
        <PayoutStatus status={status} />
      </Fact>
      <Fact name={t('Creators')}>{formatCount(memberCount)}</Fact>
      <Fact name={t('Purchases')}>{formatCount(rowCount)}</Fact>
      <Fact name={t('Group')}>
        <GroupName groupId={groupId} />
      </Fact>
      <Fact name={t('Cutoff')}>
        <When at={asOf} precision="second" />
      </Fact>
      <Fact name={t('Created')}>
        <Done at={payout.createdAt} by={payout.createdBy} />
      </Fact>
      {payRunId !== null && (
        <Fact name={t('Pay run')}>
          <PayoutLink to={`runs/${payRunId}`}>{t('View pay run')}</PayoutLink>
        </Fact>
      )}
      {payout.paidAt !== null && (
        <Fact name={t('Paid')}>
          <Done at={payout.paidAt} by={payout.paidBy} />
        </Fact>
      )}
      {payout.cancelledAt !== null && (
        <Fact name={t('Canceled')}>
          <When at={payout.cancelledAt} />
        </Fact>
      )}
    </SimpleGrid>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={2} align="flex-start">
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </Stack>
  );
}

function Done({ at, by }: { at: string; by: ActorSummary | null }) {
  return (
    <>
      <When at={at} />
      {by !== null && ` ${t('by {name}', { name: by.name })}`}
    </>
  );
}
