import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { PayoutItem, PayoutWithItems } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { ImportResultsDialog } from './import-results-dialog.tsx';
import { lineResults, mayHaveResults, ResultTotals, resultsFor, resultWord } from './line-results.tsx';
import { SetResultDialog } from './set-result-dialog.tsx';

interface PayoutLinesProps {
  data: PayoutWithItems;
  columns: readonly Column<PayoutItem>[];
  /** The query of the payout, with its items as a page of rows. */
  page: unknown;
  empty: ReactNode;
}

/** Payments of a payout, with their results. */
export function PayoutLines({
  data: { payout, needsAnother, results, items },
  columns,
  page,
  empty,
}: PayoutLinesProps) {
  const { may } = usePublisher();
  const [selected, setSelected] = useState<readonly PayoutItem[]>([]);
  const [dialog, setDialog] = useState<'set' | 'import' | null>(null);
  // The selection is part of the table's state, so a new table starts without a selection.
  const [generation, setGeneration] = useState(0);
  const onSelect = useCallback((rows: readonly PayoutItem[]) => setSelected(rows), []);
  const shown = new Set(items.map(keyOf));
  const chosen = selected.filter((each) => shown.has(keyOf(each)));
  // If a second person is required, the payout's creator may only say that its file was sent.
  const choices = resultsFor(chosen).filter((each) => !needsAnother || each === 'Sent');
  const maySet = may('payouts') && mayHaveResults(payout);
  const top = useRef<HTMLDivElement>(null);
  const isLinked = useUrlState().query.file !== undefined;
  // A link to these payments, such as in a dialog, is followed from anywhere on the page.
  useEffect(() => {
    const at = top.current?.getBoundingClientRect().top ?? 0;
    if (isLinked && at > window.innerHeight / 2) top.current?.scrollIntoView({ block: 'start' });
  }, [isLinked]);
  return (
    <Stack gap="md">
      <ResultTotals results={results} currency={payout.currency} />
      <Group justify="space-between" align="flex-start" ref={top}>
        <FilterBar
          search={{
            name: 'reference',
            label: t('Reference'),
            placeholder: t('For example {example}', { example: `${payout.number}-00001` }),
          }}
          fieldNames={['result', 'file']}
          fields={
            <>
              <FilterSelect
                name="result"
                label={t('Result')}
                all={t('All results')}
                choices={[
                  ['None', resultWord(null)],
                  ...lineResults.map((each) => [each, resultWord(each)] as const),
                ]}
              />
              <FilterSelect
                name="file"
                label={t('Payment file')}
                all={t('All payments')}
                choices={[['none', t('Not in a file')]]}
              />
            </>
          }
        />
        {maySet && (
          <Button variant="default" onClick={() => setDialog('import')}>
            {t('Import results')}
          </Button>
        )}
      </Group>
      <DataTable
        key={generation}
        label={t('Payments in this payout')}
        list="payout-items"
        columns={columns}
        page={page as never}
        rowKey={keyOf}
        selectionName={({ name, reference }: PayoutItem) => `${name}, ${reference}`}
        onSelect={maySet ? onSelect : undefined}
        empty={empty}
      />
      {maySet && chosen.length > 0 && (
        <SelectionBar
          label={t('Selected payments')}
          count={t('{count, plural, one {# payment} other {# payments}} selected', { count: chosen.length })}
          note={
            choices.length > 0
              ? null
              : needsAnother
                ? t('A second person must set these results.')
                : t('These payments can’t all have the same result.')
          }
          mainAction={
            <Button size="xs" disabled={choices.length === 0} onClick={() => setDialog('set')}>
              {t('Set result')}
            </Button>
          }
        />
      )}
      <SetResultDialog
        opened={dialog === 'set'}
        onClose={() => setDialog(null)}
        payout={payout}
        items={chosen}
        choices={choices}
        onDone={() => {
          setSelected([]);
          setGeneration(generation + 1);
        }}
      />
      <ImportResultsDialog opened={dialog === 'import'} onClose={() => setDialog(null)} payout={payout} />
    </Stack>
  );
}

// Defined once, because a new function on each render would report the selection again.
const keyOf = ({ itemId }: PayoutItem): string => itemId;
