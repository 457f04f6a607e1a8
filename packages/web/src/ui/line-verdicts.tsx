import { Alert, Box, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface JudgedLine {
  verdict: string;
  /** Reason why the line is left out; null if it isn't. */
  problem: string | null;
}

interface LineVerdictsProps<Line extends JudgedLine> {
  lines: readonly Line[];
  /** Accessible name of the list. */
  label: string;
  /** Further consequence of saving the lines, as a sentence. */
  consequence?: ReactNode;
  keyOf(line: Line): number;
  /** Name of the line, in the first column. */
  nameOf(line: Line): ReactNode;
  /** Contents of the other columns. */
  cells(line: Line): readonly ReactNode[];
}

const maxShown = 200;

/** Returns how many lines would change something. */
export const countChanges = (lines: readonly JudgedLine[]): number =>
  lines.filter(({ verdict }) => verdict === 'change').length;

/** Result of a dry run: the counts, and the verdict on each line. Rejected lines come first. */
export function LineVerdicts<Line extends JudgedLine>(props: LineVerdictsProps<Line>) {
  const { lines: all, label, consequence, keyOf, nameOf, cells } = props;
  const rejected = all.filter(({ problem }) => problem !== null);
  const lines = [...rejected, ...all.filter(({ problem }) => problem === null)];
  const counts = {
    changed: countChanges(all),
    same: all.filter(({ verdict }) => verdict === 'unchanged').length,
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
        {t('Nothing is saved yet.')} {consequence}{' '}
        {rejected.length > 0 && t('Rejected lines will be left out.')}
      </Alert>
      <Box component="section" tabIndex={0} mah={280} aria-label={label} style={{ overflow: 'auto' }}>
        <Table aria-label={t('Lines')}>
          <Table.Tbody>
            {lines.slice(0, maxShown).map((line) => (
              <Table.Tr key={keyOf(line)}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {nameOf(line)}
                  {line.problem !== null && (
                    <Text size="sm" c="var(--mantine-color-error)">
                      {line.problem}
                    </Text>
                  )}
                </Table.Td>
                {cells(line).map((cell, at, { length }) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                  <Table.Td key={at} ta={at === length - 1 ? 'end' : undefined}>
                    {cell}
                  </Table.Td>
                ))}
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
