import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { listGatesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Gate } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePage } from '../../../ui/use-page.ts';
import { CreatorCell } from '../../creator-cell.tsx';
import { GateState, GateWords } from '../../gates/gate-note.tsx';
import { EndGate, GateRow } from '../../gates/gate-row.tsx';
import { usePublisher } from '../../session/session.ts';
import { PartsPage } from './parts-page.tsx';

const ImportClearancesDialog = lazy(() =>
  import('../../gates/import-clearances-dialog.tsx').then((found) => ({
    default: found.ImportClearancesDialog,
  })),
);

/** Tax clearances and reviews that are open, newest first. */
export function GatesView() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const [isImporting, setImporting] = useState(false);
  const isNarrow = useNarrow();
  const shown = query.show === 'ending' || query.show === 'tax' || query.show === 'review' ? query.show : '';
  const page = usePage(
    listGatesOptions({
      path: { publisherId },
      query: {
        ...(shown === 'ending' ? { ending: true } : shown !== '' && { kind: shown }),
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
  );
  return (
    <PartsPage
      here="tax"
      about={t('Tax clearances, and reviews that keep creators out of payouts.')}
      actions={
        may('payouts') && (
          <Button
            variant="default"
            leftSection={<Icon name="upload" size={16} />}
            onClick={() => setImporting(true)}
          >
            {t('Import tax clearances')}
          </Button>
        )
      }
    >
      <FilterBar
        fieldNames={['show']}
        fields={
          <FilterSelect
            name="show"
            isMain
            label={t('Show')}
            all={t('All')}
            choices={[
              ['tax', t('Tax cleared')],
              ['ending', t('Ending soon')],
              ['review', t('Under review')],
            ]}
          />
        }
      />
      <DataTable
        label={t('Tax and review')}
        list="gates"
        columns={isNarrow ? columnsOnPhone() : columns(may('payouts'))}
        page={page}
        rowKey={({ gateId }) => gateId}
        empty={
          <EmptyState
            icon="check"
            title={
              shown === 'ending'
                ? t('No tax clearance ends within 30 days')
                : shown === 'review'
                  ? t('No creator is under review')
                  : t('No tax clearances yet')
            }
          >
            {t('To add a tax clearance or start a review, open the creator.')}
          </EmptyState>
        }
      />
      <Suspense>{isImporting && <ImportClearancesDialog onClose={() => setImporting(false)} />}</Suspense>
    </PartsPage>
  );
}

const creatorColumn = (): Column<Gate> => ({
  id: 'creator',
  header: t('Creator'),
  tone: 'strong',
  isCut: true,
  cell: (gate) => <CreatorCell creator={gate} groupId={undefined} />,
});

const columns = (mayEnd: boolean): Column<Gate>[] => [
  creatorColumn(),
  { id: 'state', header: t('Status'), noWrap: true, cell: (gate) => <GateState gate={gate} /> },
  { id: 'gate', header: t('Note'), cell: (gate) => <GateWords gate={gate} /> },
  ...(mayEnd
    ? [
        {
          id: 'end',
          header: t('Actions'),
          align: 'end' as const,
          noWrap: true,
          cell: (gate: Gate) => <EndGate gate={gate} />,
        },
      ]
    : []),
];

const columnsOnPhone = (): Column<Gate>[] => [
  creatorColumn(),
  {
    id: 'gate',
    header: t('Tax and review'),
    isUnderName: 'whole',
    cell: (gate) => <GateRow gate={gate} />,
  },
];
