import { Group, Stack, Text } from '@mantine/core';
import type { LineResult, Payout, PayoutItem, PayoutWithItems } from '../../../client/types.gen.ts';
import { Money, unknown } from '../../../ui/money.tsx';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';

const words: Readonly<Record<LineResult, readonly [Tone, string]>> = {
  Sent: ['running', msg('Sent')],
  Paid: ['good', msg('Paid')],
  Failed: ['bad', msg('Failed')],
  Returned: ['bad', msg('Returned')],
};

export const lineResults = ['Sent', 'Paid', 'Failed', 'Returned'] as const satisfies readonly LineResult[];

export const resultWord = (result: LineResult | null): string =>
  result === null ? t('No result yet') : t(words[result][1]);

export function ResultBadge({ result }: { result: LineResult | null }) {
  if (result === null) return '–';
  const [tone, word] = words[result];
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}

/** Result of a line, with the note under it. */
export function ResultCell({ item: { result, resultNote } }: { item: PayoutItem }) {
  if (result === null && resultNote === null) return <span data-none>{unknown}</span>;
  return (
    <Stack gap={2} align="flex-start">
      <ResultBadge result={result} />
      {resultNote !== null && (
        <Text size="xs" c="dimmed">
          {resultNote}
        </Text>
      )}
    </Stack>
  );
}

/** Number and sum of the lines with each result, once lines have different ones. */
export function ResultTotals({
  results,
  currency,
}: {
  results: PayoutWithItems['results'];
  currency: string;
}) {
  if (results.every(({ result }) => result === null || result === 'Paid') && results.length < 2) return null;
  return (
    <Group component="section" gap="lg" aria-label={t('Totals by result')}>
      {results.map(({ result, count, amountMinor }) => (
        <Group key={result ?? ''} gap="xs">
          {result === null ? <Text size="sm">{resultWord(null)}</Text> : <ResultBadge result={result} />}
          <Text size="sm">{t('{count, plural, one {# payment} other {# payments}}', { count })}</Text>
          <Text size="sm" fw={600}>
            <Money minor={amountMinor} currency={currency} />
          </Text>
        </Group>
      ))}
    </Group>
  );
}

const next: Readonly<Record<LineResult | 'None', readonly LineResult[]>> = {
  None: ['Sent', 'Paid', 'Failed'],
  Sent: ['Paid', 'Failed', 'Returned'],
  Paid: ['Returned'],
  Failed: [],
  Returned: [],
};

/** Returns the results that all of the lines can have next. */
export const resultsFor = (items: readonly PayoutItem[]): LineResult[] =>
  lineResults.filter((each) => items.every(({ result }) => next[result ?? 'None'].includes(each)));

export const isOwedAgain = (result: LineResult): boolean => result === 'Failed' || result === 'Returned';

/** Returns whether lines of the payout can have results. */
export const mayHaveResults = ({ status }: Payout): boolean => status === 'Created' || status === 'Paid';
