import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ChangedPayoutMember, PayoutChange, PreviewTotals } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './payouts.module.css';

interface ChangedDialogProps {
  change: PayoutChange;
  /** Totals that the preview showed. */
  shown: readonly PreviewTotals[];
  onClose(): void;
  /** Previews anew, and asks again when that is there. */
  onAgain(): void;
  /** Makes the payouts in currencies that did not change. */
  onOthers(currencies: readonly string[]): Promise<void>;
}

/** Says what changed since the preview, and offers the way on: nothing was paid. */
export function ChangedDialog({ change, shown, onClose, onAgain, onOthers }: ChangedDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isNarrow = useNarrow();
  const { currencies, members, changedCount } = change;
  const others = currencies.filter(({ isChanged, before }) => !isChanged && (before?.memberCount ?? 0) > 0);
  const goOn = async (): Promise<void> => {
    setBusy(true);
    await onOthers(others.map(({ currency }) => currency)).catch(setError);
    setBusy(false);
  };
  const totals = [
    ...new Set([
      ...currencies.filter(({ isChanged }) => isChanged).map(({ currency }) => currency),
      ...(change.cause === 'members' ? [] : shown.map(({ currency }) => currency)),
    ]),
  ];
  return (
    <Modal opened onClose={onClose} title={t('This changed since the preview; nothing was paid')} size="xl">
      <Stack>
        <Text size="sm">{causeOf(change)}</Text>
        <div className={classes.scroller}>
          <Table aria-label={t('What changed')} className={classes.sums}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Creator')}</Table.Th>
                {isNarrow ? (
                  <Table.Th scope="col">{t('Before, now')}</Table.Th>
                ) : (
                  <>
                    <Table.Th scope="col">{t('Previewed')}</Table.Th>
                    <Table.Th scope="col">{t('Now')}</Table.Th>
                  </>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.map((member) => (
                <Table.Tr key={`${member.memberId} ${member.currency}`}>
                  <Table.Th scope="row" fw={400}>
                    {member.name}
                    <Text size="sm" c="dimmed">
                      {member.reasons.map((reason) => reasonWords()[reason]).join(', ')}
                    </Text>
                  </Table.Th>
                  <Amounts before={member.beforeMinor} now={member.afterMinor} currency={member.currency} />
                </Table.Tr>
              ))}
              {totals.map((currency) => {
                const found = currencies.find((each) => each.currency === currency);
                const before = found?.before ?? shown.find((each) => each.currency === currency)?.due;
                return (
                  <Table.Tr key={currency}>
                    <Table.Th scope="row">{t('Total in {currency}', { currency })}</Table.Th>
                    <Amounts
                      before={before?.totalMinor}
                      now={found?.after.totalMinor ?? '0'}
                      currency={currency}
                    />
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </div>
        {changedCount > members.length && (
          <Text size="sm">
            {t('And {count, plural, one {# creator} other {# creators}} more.', {
              count: changedCount - members.length,
            })}
          </Text>
        )}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          {others.length > 0 && (
            <Button variant="default" loading={isBusy} onClick={() => void goOn()}>
              {t('Create payout in {currencies} only', {
                currencies: others.map(({ currency }) => currency).join(', '),
              })}
            </Button>
          )}
          <Button onClick={onAgain} data-autofocus>
            {t('Preview again and create')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface AmountsProps {
  before: string | null | undefined;
  now: string;
  currency: string;
}

/** Amounts before and now: on a phone below each other, so that nothing is scrolled sideways. */
function Amounts({ before, now, currency }: AmountsProps) {
  const isNarrow = useNarrow();
  const was = <Money minor={before} currency={currency} />;
  const is = <Money minor={now} currency={currency} />;
  if (!isNarrow)
    return (
      <>
        <Table.Td>{was}</Table.Td>
        <Table.Td>{is}</Table.Td>
      </>
    );
  return (
    <Table.Td>
      <Text size="sm" c="dimmed">
        {was}
      </Text>
      <Text size="sm">{is}</Text>
    </Table.Td>
  );
}

function causeOf({ cause }: PayoutChange): string {
  switch (cause) {
    case 'payout':
      return t('Another payout of this group was made since.');
    case 'terms':
      return t('The hold period, the minimums or the clock of the sandbox changed since.');
    default:
      return t('Creators would be paid other amounts now.');
  }
}

const reasonWords = (): Readonly<Record<ChangedPayoutMember['reasons'][number], string>> => ({
  Refund: t('refund'),
  Fraud: t('fraud'),
  Chargeback: t('chargeback'),
  merge: t('creators were merged'),
  purchases: t('new purchases'),
  bounties: t('bounties'),
  clawback: t('money taken back'),
  minimum: t('below the minimum now'),
});
