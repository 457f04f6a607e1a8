import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { PayoutChange, PreviewTotals } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { causeOf, reasonWords } from './change-words.ts';
import classes from './payouts.module.css';

interface ChangedDialogProps {
  change: PayoutChange;
  shown: readonly PreviewTotals[];
  onClose(): void;
  /** Loads a new preview, then asks for confirmation again. */
  onAgain(): void;
  /** Creates the payouts in currencies whose amounts didn't change. */
  onOthers(currencies: readonly string[]): Promise<void>;
}

/**
 * Shows what changed since the preview, and offers the next steps. No payout has been created at that point.
 */
export function ChangedDialog({ change, shown, onClose, onAgain, onOthers }: ChangedDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isNarrow = useNarrow();
  const { currencies, members, changedCount } = change;
  const others = currencies.filter(({ isChanged, before }) => !isChanged && (before?.memberCount ?? 0) > 0);
  const createOthers = async (): Promise<void> => {
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
    <Modal opened onClose={onClose} title={t('The amounts changed since the preview')} size="xl">
      <Stack>
        <Text size="sm">{causeOf(change)}</Text>
        <div className={classes.scroller}>
          <Table aria-label={t('What changed')} className={classes.sums}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Creator')}</Table.Th>
                {isNarrow ? (
                  <Table.Th scope="col">{t('Preview, now')}</Table.Th>
                ) : (
                  <>
                    <Table.Th scope="col">{t('Preview')}</Table.Th>
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
            {t('And {count, plural, one {# more creator} other {# more creators}}.', {
              count: changedCount - members.length,
            })}
          </Text>
        )}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          {others.length > 0 && (
            <Button variant="default" loading={isBusy} onClick={() => void createOthers()}>
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

/** Previewed and current amounts. On a phone, the amounts are stacked so that the table fits. */
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
