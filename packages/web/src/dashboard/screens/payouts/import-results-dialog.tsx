import { Alert, Box, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setPayoutResults } from '../../../client/sdk.gen.ts';
import type { Payout, PayoutResults } from '../../../client/types.gen.ts';
import { CsvField } from '../../../ui/csv-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { TypedTotalInput, typedAmount } from '../../../ui/typed-total.tsx';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import { resultWord } from './line-results.tsx';

interface ImportResultsDialogProps {
  opened: boolean;
  onClose(): void;
  payout: Payout;
}

/** Sets results from a file: first checks it and shows what would change, then sets the results. */
export function ImportResultsDialog({ opened, onClose, payout }: ImportResultsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Import results')} size="lg">
      {opened && <Steps onClose={onClose} payout={payout} />}
    </Dialog>
  );
}

function Steps({ onClose, payout }: Omit<ImportResultsDialogProps, 'opened'>) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [csv, setCsv] = useState('');
  const [checked, setChecked] = useState<PayoutResults | null>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { payoutId, currency, number } = payout;
  const change = (text: string): void => {
    setCsv(text);
    setChecked(null);
    setTyped('');
    setError(null);
  };
  const run = async (body: { isDryRun: boolean; owedAgainMinor?: string }): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await setPayoutResults({
        path: { publisherId, payoutId },
        body: { csv, ...body },
        throwOnError: true,
      });
      if (body.isDryRun) {
        setChecked(data);
        return;
      }
      toast(t('{count, plural, one {# result} other {# results}} set', { count: changesIn(data) }));
      await queryClient.invalidateQueries();
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const owedAgain = checked?.owedAgainMinor ?? '0';
  const total = owedAgain === '0' ? null : typedAmount(owedAgain, currency);
  const count = checked === null ? 0 : changesIn(checked);
  return (
    <Stack>
      <Unsaved values={csv} />
      <Text size="sm">
        {t('A table with these column names in the first line:')} <Code>reference,status,note</Code>.{' '}
        {t('The status is Sent, Paid, Failed or Returned. Lines are matched by reference.')}
      </Text>
      <CsvField
        value={csv}
        placeholder={`reference,status,note\n${number}-00001,Failed,Account closed`}
        isBusy={isBusy}
        onChange={change}
      >
        <Button
          variant={checked === null ? 'filled' : 'default'}
          disabled={csv.trim() === ''}
          loading={isBusy && checked === null}
          onClick={() => void run({ isDryRun: true })}
        >
          {t('Check')}
        </Button>
      </CsvField>
      {error !== null && <ErrorNotice error={error} />}
      {checked !== null && (
        <>
          <Verdicts checked={checked} currency={currency} />
          {total !== null && <TypedTotalInput total={total} value={typed} onChange={setTyped} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              disabled={count === 0 || (total !== null && !total.isTyped(typed))}
              loading={isBusy}
              color={total === null ? undefined : 'red'}
              onClick={() => void run({ isDryRun: false, owedAgainMinor: owedAgain })}
            >
              {t('Set {count, plural, one {# result} other {# results}}', { count })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

const changesIn = ({ lines }: PayoutResults): number =>
  lines.filter(({ verdict }) => verdict === 'change').length;

const maxShown = 200;

/** Verdict on each line. Lines that can’t be set come first. */
function Verdicts({ checked, currency }: { checked: PayoutResults; currency: string }) {
  const rejected = checked.lines.filter(({ problem }) => problem !== null);
  const lines = [...rejected, ...checked.lines.filter(({ problem }) => problem === null)];
  const counts = {
    changed: changesIn(checked),
    same: checked.lines.filter(({ verdict }) => verdict === 'unchanged').length,
    rejected: rejected.length,
  };
  return (
    <Stack gap="xs">
      <Alert
        role="status"
        color={rejected.length > 0 ? 'yellow' : 'green'}
        icon={<Icon name={rejected.length > 0 ? 'alert' : 'check'} />}
        title={t('{changed} to set, {same} unchanged, {rejected} rejected', counts)}
      >
        {t('Nothing is saved yet.')}{' '}
        {checked.owedAgainMinor !== '0' &&
          t('{total} failed or was returned, and will be added to the next payout.', {
            total: formatMoney(checked.owedAgainMinor, currency),
          })}{' '}
        {rejected.length > 0 && t('Rejected lines will be left out.')}
      </Alert>
      <Box
        component="section"
        tabIndex={0}
        mah={280}
        aria-label={t('Result of each line')}
        style={{ overflow: 'auto' }}
      >
        <Table aria-label={t('Lines')}>
          <Table.Tbody>
            {lines.slice(0, maxShown).map(({ line, reference, to, name, amountMinor, problem, verdict }) => (
              <Table.Tr key={line}>
                <Table.Td>
                  {reference} {name}
                  {problem !== null && (
                    <Text size="sm" c="var(--mantine-color-error)">
                      {problem}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {verdict === 'unchanged' ? t('Unchanged') : to !== null && resultWord(to)}
                </Table.Td>
                <Table.Td ta="end">{amountMinor !== null && formatMoney(amountMinor, currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {lines.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('Showing the first {maxShown} of {count} lines.', { maxShown, count: lines.length })}
        </Text>
      )}
    </Stack>
  );
}
