import { Box, Checkbox, Table } from '@mantine/core';
import {
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useHiddenColumns } from './column-choice.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import classes from './data-table.module.css';
import { DayHead, daysOf, SectionHead } from './day-head.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Pager } from './pager.tsx';
import { Scroller } from './scroller.tsx';
import { useShownRow } from './shown-row.ts';
import { TableSkeleton } from './skeletons.tsx';
import { type Column, type HeadProps, useColumns } from './table-column.ts';
import { BodyRow } from './table-row.tsx';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';
import type { PageOf } from './use-page.ts';
import { useRowKeys } from './use-row-keys.ts';
import { TimeLength } from './when.tsx';
import { useZone } from './zone.ts';

export type { Column };

/** Page of a list, and how it was loaded: what `usePage` returns, or all rows of an answer that isn't a page. */
export interface ListedPage<Row> {
  data: PageOf<Row> | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch(): Promise<unknown>;
}

interface DaysOf<Row> {
  /** Column that shows the time. */
  column: string;
  at(row: Row): string;
}

interface SectionsOf<Row> {
  /** Returns what the rows of a section share, such as a currency. Rows of a section follow each other. */
  key(row: Row): string;
  head(key: string): ReactNode;
}

interface DataTableProps<Row> {
  /** Accessible name of the table, such as "Transactions". */
  label: string;
  /** Name of the list, such as `transactions`. If present, columns can be hidden. */
  list?: string;
  columns: readonly Column<Row>[];
  page: ListedPage<Row>;
  /** Key of a row. With `onSelect`, this must be the same function in each render. */
  rowKey(row: Row): string;
  /** Returns a row's name for "Open …". If absent, rows can't be opened. */
  rowName?: (row: Row) => string;
  /** True if the link in each row's first cell leads to the row's page. On a phone, the row shows that it opens. */
  isLinked?: boolean;
  /**
   * Groups rows, which are in the order of a time, by day. The day is their heading, and the time's column shows only
   * the time of day. With fewer than two rows a day, the headings would be as many as the rows, so each row shows its
   * date instead.
   */
  days?: DaysOf<Row> | undefined;
  /** Groups rows under headings other than days. */
  sections?: SectionsOf<Row> | undefined;
  /** Content shown if there are no rows. */
  empty: ReactNode;
  /** Makes rows selectable, and receives the selected ones. */
  onSelect?: ((rows: readonly Row[]) => void) | undefined;
  /** Returns a row's name for "Select …", if rows can't be opened. */
  selectionName?: (row: Row) => string;
  /** Number of rows of the loading placeholder. */
  usualRows?: number;
}

const features = tableFeatures({ rowSelectionFeature });

/**
 * Page of a list as a table. A click or Enter opens a row by setting `open=<key>` in the URL. The screen's
 * `DetailDrawer` reads that parameter. J and K move from row to row, even while a row is open. On a phone a
 * row has two lines: `isUnderName` columns go under the first of the other columns, and an `isUnderAmount`
 * column goes under the last.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { page } = props;
  if (page.data === undefined && page.error !== null)
    return (
      <ErrorNotice
        error={page.error}
        title={t('Couldn’t load this list')}
        onRetry={() => void page.refetch()}
      />
    );
  if (page.data === undefined) return <Loading {...props} />;
  return (
    <>
      {page.error !== null && (
        <Box mb="sm">
          <ErrorNotice
            error={page.error}
            title={t('Couldn’t reload. These rows may be out of date')}
            onRetry={() => void page.refetch()}
          />
        </Box>
      )}
      {page.data.rows.length === 0 ? props.empty : <Rows {...props} rows={page.data.rows} />}
      <Pager nextCursor={page.data.nextCursor} isBusy={page.isPlaceholderData} />
    </>
  );
}

function Loading<Row>({
  list,
  columns: given,
  days,
  rowName,
  onSelect,
  isLinked = false,
  usualRows = 10,
}: DataTableProps<Row>) {
  const isNarrow = useNarrow();
  const { hidden } = useHiddenColumns(list);
  const { columns, underName, underAmount } = useColumns(given, hidden, []);
  return (
    <TableSkeleton
      columns={columns}
      hasDay={days !== undefined}
      hasBoxes={onSelect !== undefined}
      hasOpeners={rowName !== undefined || list !== undefined || (isLinked && isNarrow)}
      hasMenu={list !== undefined}
      hasUnderName={underName.length > 0}
      hasUnderAmount={underAmount.length > 0}
      rows={usualRows}
    />
  );
}

function Rows<Row extends object>(props: DataTableProps<Row> & { rows: readonly Row[] }) {
  const {
    label,
    list,
    rows,
    rowKey,
    rowName,
    selectionName = rowName,
    onSelect,
    page,
    isLinked,
    sections,
  } = props;
  const { hidden, hide } = useHiddenColumns(list);
  const { columns, underName, underAmount } = useColumns(props.columns, hidden, rows);
  const { query, setQuery } = useUrlState();
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const body = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.display({ id: column.id, header: column.header, cell: ({ row }) => column.cell(row.original) }),
    );
  }, [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowKey,
    state: { rowSelection },
    onRowSelectionChange: setRowSelection,
  });
  useEffect(() => {
    onSelect?.(rows.filter((row) => rowSelection[rowKey(row)] === true));
  }, [onSelect, rows, rowSelection, rowKey]);
  const open = useCallback((key: string | null): void => setQuery({ open: key }), [setQuery]);
  const select = useCallback(
    (id: string, isSelected: boolean) =>
      setRowSelection(({ [id]: _, ...others }) => (isSelected ? { ...others, [id]: true } : others)),
    [],
  );
  useRowKeys({
    keys: useMemo(() => rows.map(rowKey), [rows, rowKey]),
    nextCursor: page.data?.nextCursor ?? null,
    isBusy: page.isPlaceholderData,
    body,
    mayOpen: rowName !== undefined,
  });
  const shown = useShownRow();
  useEffect(() => {
    if (shown === null || !rows.some((row) => rowKey(row) === shown)) return;
    body.current?.querySelector('[data-shown]')?.scrollIntoView({ block: 'center' });
  }, [shown, rows, rowKey]);
  const isAll = table.getIsAllRowsSelected();
  const isNarrow = useNarrow();
  const zone = useZone();
  const all = table.getRowModel().rows;
  const byDay = props.days && daysOf(all, zone, ({ original }) => props.days?.at(original) ?? '');
  const days = byDay !== undefined && hasHeads(byDay.length, rows.length) ? props.days : undefined;
  const groups =
    days !== undefined && byDay !== undefined
      ? byDay
      : sections !== undefined
        ? [...Map.groupBy(all, ({ original }) => sections.key(original))].map(([key, rows]) => ({
            key,
            at: '',
            rows,
          }))
        : [{ key: '', at: '', rows: all }];
  return (
    <TimeLength value={isNarrow ? 'short' : 'list'}>
      <Scroller ref={body} label={label} isBusy={page.isPlaceholderData}>
        <Table className={classes.table} highlightOnHover={rowName !== undefined} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {onSelect !== undefined && (
                <Table.Th className={classes.narrow}>
                  <Checkbox
                    aria-label={t('Select all rows on this page')}
                    checked={isAll}
                    indeterminate={!isAll && table.getIsSomeRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </Table.Th>
              )}
              {columns.map(({ id, header, align, hiddenBelow, sort = plainHead }) =>
                sort({ id, header, 'data-align': align, visibleFrom: hiddenBelow, scope: 'col' }),
              )}
              {list === undefined ? (
                rowName !== undefined && <Table.Th className={classes.narrow} aria-label={t('Open')} />
              ) : (
                <Table.Th className={classes.narrow} {...(rowName === undefined && { visibleFrom: 'sm' })}>
                  <Box visibleFrom="sm">
                    <ColumnsMenu columns={props.columns} hidden={hidden} onHide={hide} />
                  </Box>
                </Table.Th>
              )}
              {isLinked === true && <Table.Td className={classes.narrow} hiddenFrom="sm" />}
            </Table.Tr>
          </Table.Thead>
          {groups.map(({ key, at, rows: shownRows }) => (
            <Table.Tbody key={key}>
              {days !== undefined && <DayHead at={at} columns={columns.length + 2} />}
              {sections !== undefined && (
                <SectionHead columns={columns.length + 2}>{sections.head(key)}</SectionHead>
              )}
              {shownRows.map((row) => (
                <BodyRow
                  key={row.id}
                  id={row.id}
                  row={row.original}
                  name={rowName?.(row.original)}
                  selectionName={selectionName?.(row.original) ?? row.id}
                  columns={columns}
                  underName={underName}
                  underAmount={underAmount}
                  timeColumn={days?.column}
                  hasColumnsMenu={list !== undefined}
                  isLinked={isLinked === true}
                  isOpen={query.open === row.id}
                  isShown={shown === row.id}
                  isSelected={row.getIsSelected()}
                  onOpen={open}
                  {...(onSelect !== undefined && { onSelect: select })}
                />
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </Scroller>
    </TimeLength>
  );
}

const plainHead = ({ id, header, ...props }: HeadProps) => (
  <Table.Th key={id} {...props}>
    {header}
  </Table.Th>
);

/** Minimum number of rows a day for which the days have headings. */
const minRowsPerDay = 2;

/** Returns whether rows are listed under headings of their days. A single heading takes no more room than the date in each row. */
const hasHeads = (days: number, rows: number): boolean => days === 1 || rows >= minRowsPerDay * days;
