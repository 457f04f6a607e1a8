import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { setPayoutResults } from '../../../client/sdk.gen.ts';
import type { Payout, PayoutResults } from '../../../client/types.gen.ts';
import { CsvField } from '../../../ui/csv-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { countChanges, LineVerdicts } from '../../../ui/line-verdicts.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { TypedTotalInput, typedAmount } from '../../../ui/typed-total.tsx';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useCheckedCsv } from '../../../ui/use-checked-csv.ts';
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
  const [typed, setTyped] = useState('');
  const { payoutId, currency, number } = payout;
  const { csv, checked, error, isBusy, change, check, save } = useCheckedCsv({
    send: async (text, dry: PayoutResults | null) =>
      (
        await setPayoutResults({
          path: { publisherId, payoutId },
          body: {
            csv: text,
            isDryRun: dry === null,
            ...(dry !== null && { owedAgainMinor: dry.owedAgainMinor }),
          },
          throwOnError: true,
        })
      ).data,
    onSaved({ lines }) {
      toast(t('{count, plural, one {# result} other {# results}} set', { count: countChanges(lines) }));
      onClose();
    },
  });
  const owedAgain = checked?.owedAgainMinor ?? '0';
  const total = owedAgain === '0' ? null : typedAmount(owedAgain, currency);
  const count = checked === null ? 0 : countChanges(checked.lines);
  return (
    <Stack>
      <Unsaved values={csv} />
      <Text size="sm">
        {t('A CSV table with these columns in the first line:')} <Code>reference,status,note</Code>.{' '}
        {t(
          'The status is Sent, Paid, Failed, or Returned. Payments are matched by reference. The creator sees the note in the portal.',
        )}
      </Text>
      <CsvField
        value={csv}
        placeholder={`reference,status,note\n${number}-00001,Failed,Account closed`}
        isBusy={isBusy}
        onChange={(text) => {
          change(text);
          setTyped('');
        }}
      >
        <Button
          variant={checked === null ? 'filled' : 'default'}
          disabled={csv.trim() === ''}
          loading={isBusy && checked === null}
          onClick={() => void check()}
        >
          {t('Check')}
        </Button>
      </CsvField>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t import the results')} />}
      {checked !== null && (
        <>
          <LineVerdicts
            lines={checked.lines}
            label={t('Result for each line')}
            consequence={
              owedAgain !== '0' &&
              t('{total} failed or was returned and will be added to the next payout.', {
                total: formatMoney(owedAgain, currency),
              })
            }
            keyOf={({ line }) => line}
            nameOf={({ reference, name }) => `${reference} ${name ?? ''}`}
            cells={({ verdict, to, amountMinor }) => [
              verdict === 'unchanged' ? t('Unchanged') : to !== null && resultWord(to),
              amountMinor !== null && formatMoney(amountMinor, currency),
            ]}
          />
          {total !== null && <TypedTotalInput total={total} value={typed} onChange={setTyped} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              disabled={count === 0 || (total !== null && !total.isTyped(typed))}
              loading={isBusy}
              color={total === null ? undefined : 'red'}
              onClick={() => void save()}
            >
              {t('Set {count, plural, one {# result} other {# results}}', { count })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
