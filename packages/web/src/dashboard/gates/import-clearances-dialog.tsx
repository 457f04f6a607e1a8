import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { importTaxClearances } from '../../client/sdk.gen.ts';
import type { ImportedTaxClearances } from '../../client/types.gen.ts';
import { CsvField } from '../../ui/csv-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { countChanges, LineVerdicts } from '../../ui/line-verdicts.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useCheckedCsv } from '../../ui/use-checked-csv.ts';
import { usePublisher } from '../session/session.ts';
import { lastDay } from './gate-note.tsx';

/** Sets tax clearances from a file: first checks it and shows what would change, then sets them. */
export function ImportClearancesDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog opened onClose={onClose} title={t('Import tax clearances')} size="lg">
      <Steps onClose={onClose} />
    </Dialog>
  );
}

function Steps({ onClose }: { onClose(): void }) {
  const { publisherId } = usePublisher();
  const { csv, checked, error, isBusy, change, check, save } = useCheckedCsv({
    send: async (text, dry: ImportedTaxClearances | null) =>
      (
        await importTaxClearances({
          path: { publisherId },
          body: { csv: text, isDryRun: dry === null },
          throwOnError: true,
        })
      ).data,
    onSaved({ lines }) {
      toast(
        t('{count, plural, one {# tax clearance} other {# tax clearances}} saved', {
          count: countChanges(lines),
        }),
      );
      onClose();
    },
  });
  const count = checked === null ? 0 : countChanges(checked.lines);
  return (
    <Stack>
      <Unsaved values={csv} />
      <Text size="sm">
        {t('A CSV table with these columns in the first line:')} <Code>memberId,until,note</Code>.{' '}
        {t(
          'In until, enter the last day, such as 2028-12-31, or never. A from column with the first day is optional. Creators are matched by ID.',
        )}
      </Text>
      <CsvField
        value={csv}
        placeholder={'memberId,until,note\nacc_alice,2028-12-31,W-8BEN 2026-03'}
        isBusy={isBusy}
        onChange={change}
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
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t import the list')} />}
      {checked !== null && (
        <>
          <LineVerdicts
            lines={checked.lines}
            label={t('Result for each line')}
            keyOf={({ line }) => line}
            nameOf={({ line, name, memberId }) =>
              `${t('Line {line}', { line: String(line) })}: ${name ?? memberId}`
            }
            cells={({ verdict, problem, until }) => [
              verdict === 'unchanged'
                ? t('Unchanged')
                : problem === null &&
                  (until === null ? t('no end') : t('through {day}', { day: lastDay(until) })),
            ]}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button disabled={count === 0} loading={isBusy} onClick={() => void save()}>
              {t('Save {count, plural, one {# tax clearance} other {# tax clearances}}', { count })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
