import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCreatorWaitingOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator, MemberWaitingInCurrency } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { WaitingReasons } from '../../waiting-reasons.tsx';
import classes from './creators.module.css';

/** Amount that the next payout pays a creator, and every other amount with all the reasons why it isn't paid yet. */
export function CreatorWaiting({ creator: { memberId, groupId } }: { creator: Creator }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    getCreatorWaitingOptions({ path: { publisherId, memberId }, query: { group: groupId } }),
  );
  return (
    <Stack gap="xs" component="section" aria-label={t('Next payout')}>
      <Title order={3} size="h5">
        {t('Next payout')}
      </Title>
      {error !== null ? (
        <ErrorNotice
          error={error}
          title={t('Couldn’t load the next payout')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <LateSkeleton lines={2} />
      ) : (
        <>
          {data.plannedFor !== null && (
            <Text size="sm" c="dimmed">
              {t('Planned for {day}', { day: formatUtcDay(data.plannedFor) })}
            </Text>
          )}
          {data.rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('You don’t owe this creator anything.')}
            </Text>
          ) : (
            <Amounts rows={data.rows} />
          )}
        </>
      )}
    </Stack>
  );
}

function Amounts({ rows }: { rows: readonly MemberWaitingInCurrency[] }) {
  const isNothingWaiting = rows.every(({ waiting }) => waiting.length === 0);
  return (
    <>
      <ul className={classes.amounts}>
        {rows.flatMap(({ currency, dueMinor, due, waiting }) => [
          ...(dueMinor === '0'
            ? []
            : [
                <li key={`${currency} due`}>
                  <Group justify="space-between" align="flex-start" wrap="nowrap">
                    <div className={classes.reasons}>
                      <Text size="sm">{t('Due now')}</Text>
                      <DueParts due={due} currency={currency} />
                    </div>
                    <Money minor={dueMinor} currency={currency} />
                  </Group>
                </li>,
              ]),
          ...waiting.map(({ amountMinor, reasons }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: amounts of a currency have no other identity
            <li key={`${currency} ${index}`}>
              <Group justify="space-between" align="flex-start" wrap="nowrap">
                <div className={classes.reasons}>
                  <WaitingReasons reasons={reasons} currency={currency} isDim={false} />
                </div>
                <Money minor={amountMinor} currency={currency} isSigned />
              </Group>
            </li>
          )),
        ])}
      </ul>
      {isNothingWaiting && (
        <Text size="sm" c="dimmed">
          {t('Nothing is waiting. The next payout pays everything.')}
        </Text>
      )}
    </>
  );
}

/** Parts of the amount that is due. If it is from purchases alone, they would repeat it. */
function DueParts({ due, currency }: Pick<MemberWaitingInCurrency, 'due' | 'currency'>) {
  const parts = (
    [
      [t('Purchases'), due.paymentsMinor],
      [t('Bounties'), due.rewardsMinor],
      [t('Deducted'), due.adjustmentsMinor],
    ] as const
  ).filter(([, minor]) => minor !== '0');
  if (parts.length < 2) return null;
  return (
    <Text size="xs" c="dimmed">
      {parts.map(([name, minor], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {name} <Money minor={minor} currency={currency} isSigned />
        </span>
      ))}
    </Text>
  );
}
