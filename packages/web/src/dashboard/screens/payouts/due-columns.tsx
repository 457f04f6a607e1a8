import { Group, Stack, Text } from '@mantine/core';
import type { AmountOnHold, PreviewRow } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { CreatorCell } from '../../creator-cell.tsx';
import { WaitingReasons } from '../../waiting-reasons.tsx';
import classes from './payouts.module.css';

/** @param groupId undefined until the preview is loaded */
export const dueColumns = (groupId: string | undefined): Column<PreviewRow>[] => [
  {
    id: 'name',
    header: t('Creator'),
    tone: 'strong',
    isCut: true,
    cell: (row) => <CreatorCell creator={row} groupId={groupId} />,
  },
  {
    id: 'state',
    header: t('Status'),
    isUnderName: true,
    cell: (row) => (
      <Stack gap={4} align="flex-start">
        {row.state !== 'on-hold' && <State row={row} />}{' '}
        {row.onHold !== null && <OnHold onHold={row.onHold} currency={row.currency} />}
      </Stack>
    ),
  },
  {
    id: 'rows',
    header: t('Purchases'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    cell: ({ rowCount }) => formatCount(rowCount),
  },
  {
    id: 'payments',
    header: t('Earned'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    // Without bounties and adjustments, it would repeat the amount.
    isBlank: ({ paymentsMinor, amountMinor }) => paymentsMinor === amountMinor,
    cell: ({ paymentsMinor, currency }) => <Money minor={paymentsMinor} currency={currency} />,
  },
  {
    id: 'rewards',
    header: t('Bounties'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'lg',
    isBlank: ({ rewardsMinor }) => rewardsMinor === '0',
    cell: ({ rewardsMinor, currency }) => <Money minor={rewardsMinor} currency={currency} />,
  },
  {
    id: 'adjustments',
    header: t('Deducted'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'lg',
    isBlank: ({ adjustmentsMinor }) => adjustmentsMinor === '0',
    cell: ({ adjustmentsMinor, currency }) => <Money minor={adjustmentsMinor} currency={currency} isSigned />,
  },
  {
    id: 'amount',
    header: t('Amount'),
    tone: 'strong',
    align: 'end',
    cell: ({ amountMinor, currency }) => <Amount minor={amountMinor} currency={currency} />,
  },
  {
    id: 'later',
    header: t('Not due yet'),
    align: 'end',
    isUnderAmount: true,
    isBlank: ({ laterMinor }) => laterMinor === '0',
    cell: ({ laterMinor, currency, heldUntil }) =>
      laterMinor === '0' ? null : (
        <Group gap="xs" wrap="nowrap" align="baseline" className={classes.later}>
          <Money minor={laterMinor} currency={currency} isSigned />{' '}
          {heldUntil !== null && (
            <Text size="xs" c="dimmed">
              {t('from')} <When at={heldUntil} precision="day" />
            </Text>
          )}
        </Group>
      ),
  },
];

/** Amount of a payout. Without any, it is dimmed, so that the others stand out. */
const Amount = ({ minor, currency }: { minor: string; currency: string }) =>
  minor === '0' ? (
    <Text span inherit c="dimmed" fw={400}>
      <Money minor={minor} currency={currency} />
    </Text>
  ) : (
    <Money minor={minor} currency={currency} isSigned />
  );

/** Badge that shows whether an amount is due, or why it isn't. */
function State({
  row: { state, amountMinor, minimumMinor, heldUntil, currency, waiting, lacksMethod },
}: {
  row: PreviewRow;
}) {
  switch (state) {
    case 'due':
      return lacksMethod ? (
        <Reason tone="neutral" word={t('Due')}>
          <Text span size="xs" c="var(--mantine-color-yellow-text)">
            {t('no payout method')}
          </Text>
        </Reason>
      ) : (
        <StatusBadge tone="good">{t('Due')}</StatusBadge>
      );
    case 'below-minimum':
      return (
        <Reason tone="waiting" word={t('Waiting')}>
          {t('below {minimum}', { minimum: formatMoney(minimumMinor, currency) })}
        </Reason>
      );
    case 'blocked':
      return (
        <Reason tone="waiting" word={t('Blocked')}>
          <WaitingReasons reasons={waiting[0]?.reasons ?? []} currency={currency} />
        </Reason>
      );
    case 'repaying':
      return amountMinor.startsWith('-') ? (
        <Reason tone="bad" word={t('Overpaid')}>
          {t('repaying {amount}', { amount: formatMoney(amountMinor.slice(1), currency) })}
        </Reason>
      ) : (
        <StatusBadge tone="waiting">{t('Repaid')}</StatusBadge>
      );
    default:
      return (
        <Reason tone="neutral" word={t('Not due yet')}>
          {heldUntil === null ? (
            t('after this cutoff')
          ) : (
            <>
              {t('due from')} <When at={heldUntil} precision="day" />
            </>
          )}
        </Reason>
      );
  }
}

/** Amount that holds keep out of the payout, with their reasons and ends. */
function OnHold({
  onHold: { rowCount, amountMinor, holds },
  currency,
}: {
  onHold: AmountOnHold;
  currency: string;
}) {
  return (
    <Reason tone="waiting" word={t('On hold')}>
      {t('{count, plural, one {# purchase} other {# purchases}}, {amount}', {
        count: rowCount,
        amount: formatMoney(amountMinor, currency),
      })}
      {holds.map(({ reason, endsAt }) => (
        <Text key={`${reason} ${endsAt}`} component="div" size="xs" c="dimmed" className={classes.holdReason}>
          {reason}
          {endsAt !== null && (
            <>
              {' '}
              {t('until')} <When at={endsAt} precision="day" />
            </>
          )}
        </Text>
      ))}
    </Reason>
  );
}

function Reason({
  tone,
  word,
  children,
}: {
  tone: 'waiting' | 'bad' | 'neutral';
  word: string;
  children: React.ReactNode;
}) {
  return (
    <Group gap={6} className={classes.reason}>
      <StatusBadge tone={tone}>{word}</StatusBadge>{' '}
      <Text size="xs" c="dimmed" component="div">
        {children}
      </Text>
    </Group>
  );
}
