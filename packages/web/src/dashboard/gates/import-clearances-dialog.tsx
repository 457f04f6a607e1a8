import { Alert, Box, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { importTaxClearances } from '../../client/sdk.gen.ts';
import type { ImportedTaxClearances } from '../../client/types.gen.ts';
import { CsvField } from '../../ui/csv-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
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
  const queryClient = useQueryClient();
  const [csv, setCsv] = useState('');
  const [checked, setChecked] = useState<ImportedTaxClearances | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (text: string): void => {
    setCsv(text);
    setChecked(null);
    setError(null);
  };
  const run = async (isDryRun: boolean): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await importTaxClearances({
        path: { publisherId },
        body: { csv, isDryRun },
        throwOnError: true,
      });
      if (isDryRun) {
        setChecked(data);
        return;
      }
      toast(
        t('{count, plural, one {# tax clearance} other {# tax clearances}} set', { count: changesIn(data) }),
      );
      await queryClient.invalidateQueries();
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const count = checked === null ? 0 : changesIn(checked);
  return (
    <Stack>
      <Unsaved values={csv} />
      <Text size="sm">
        {t('A table with these column names in the first line:')} <Code>memberId,until,note</Code>.{' '}
        {t(
          'The until column is the last day, such as 2028-12-31, or never. A from column with the first day is optional. Creators are matched by id.',
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
          onClick={() => void run(true)}
        >
          {t('Check')}
        </Button>
      </CsvField>
      {error !== null && <ErrorNotice error={error} />}
      {checked !== null && (
        <>
          <Verdicts checked={checked} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button disabled={count === 0} loading={isBusy} onClick={() => void run(false)}>
              {t('Set {count, plural, one {# tax clearance} other {# tax clearances}}', { count })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

const changesIn = ({ lines }: ImportedTaxClearances): number =>
  lines.filter(({ verdict }) => verdict === 'change').length;

const maxShown = 200;

/** Verdict on each line. Lines that can’t be set come first. */
function Verdicts({ checked }: { checked: ImportedTaxClearances }) {
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
        {t('Nothing is saved yet.')} {rejected.length > 0 && t('Rejected lines will be left out.')}
      </Alert>
      <Box
        component="section"
        tabIndex={0}
        mah={280}
        aria-label={t('Verdict on each line')}
        style={{ overflow: 'auto' }}
      >
        <Table aria-label={t('Lines')}>
          <Table.Tbody>
            {lines.slice(0, maxShown).map(({ line, memberId, name, until, problem, verdict }) => (
              <Table.Tr key={line}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {t('Line {line}', { line: String(line) })}: {name ?? memberId}
                  {problem !== null && (
                    <Text size="sm" c="var(--mantine-color-error)">
                      {problem}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end">
                  {verdict === 'unchanged'
                    ? t('Unchanged')
                    : problem === null &&
                      (until === null ? t('no end') : t('through {day}', { day: lastDay(until) }))}
                </Table.Td>
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
