import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { PayoutChange, PreviewTotals } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { causeOf, fallWords, onlyFell, reasonWords } from './change-words.ts';
import classes from './payouts.module.css';

interface ChangedDialogProps {
  change: PayoutChange;
  shown: readonly PreviewTotals[];
  onClose(): void;
  /** Loads a new preview, then asks for confirmation again. */
  onAgain(): void;
  /** Creates the payouts in currencies whose amounts didn't change. */
  onOthers(currencies: readonly string[]): Promise<void>;
  /** Creates the payouts with what is left of the previewed amounts. */
  onLess(): Promise<void>;
}

/**
 * Shows what changed since the preview, and offers the next steps. If amounts only fell, asks whether to pay what is
 * left. No payout has been created at that point.
 */
export function ChangedDialog({ change, shown, onClose, onAgain, onOthers, onLess }: ChangedDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isNarrow = useNarrow();
  const { currencies, members, changedCount } = change;
  const others = currencies.filter(({ isChanged, before }) => !isChanged && (before?.memberCount ?? 0) > 0);
  const isLess = onlyFell(change);
  const isLeft = currencies.some(({ after }) => after.memberCount > 0);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await work().catch(setError);
    setBusy(false);
  };
  const totals = [
    ...new Set([
      ...currencies.filter(({ isChanged }) => isChanged).map(({ currency }) => currency),
      ...(change.cause === 'members' ? [] : shown.map(({ currency }) => currency)),
    ]),
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={isLess ? fallWords([change]) : t('The amounts changed since the preview')}
      size="xl"
    >
      <Stack>
        <Text size="sm">
          {isLess
            ? t(
                'These amounts fell since the preview, so no payout was created. No creator gets more than shown there.',
              )
            : causeOf(change)}
        </Text>
        <Scroller label={t('What changed')}>
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
        </Scroller>
        {changedCount > members.length && (
          <Text size="sm">
            {t('And {count, plural, one {# more creator} other {# more creators}}.', {
              count: changedCount - members.length,
            })}
          </Text>
        )}
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the payout')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          {others.length > 0 && !isLess && (
            <Button
              variant="default"
              loading={isBusy}
              onClick={() => void run(() => onOthers(others.map(({ currency }) => currency)))}
            >
              {t('Create payout in {currencies} only', {
                currencies: others.map(({ currency }) => currency).join(', '),
              })}
            </Button>
          )}
          <Button
            variant={isLess && isLeft ? 'default' : 'filled'}
            onClick={onAgain}
            data-autofocus={!(isLess && isLeft) || undefined}
          >
            {t('Preview again and create')}
          </Button>
          {isLess && isLeft && (
            <Button loading={isBusy} onClick={() => void run(onLess)} data-autofocus>
              {t('Pay the lower amounts')}
            </Button>
          )}
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
