import { ActionIcon, Box, Checkbox, Group, Table } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { nameColumnOf, useHiddenColumns } from './column-choice.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import classes from './data-table.module.css';
import { ErrorNotice } from './error-notice.tsx';
import { Icon } from './icons.tsx';
import { Pager } from './pager.tsx';
import { useShownRow } from './shown-row.ts';
import { TableSkeleton } from './skeletons.tsx';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';
import type { PageOf } from './use-page.ts';
import { useRowKeys } from './use-row-keys.ts';
import { TimeLength } from './when.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** `end` for amounts and counts, so that their digits line up. */
  align?: 'end';
  /** Keeps short values on one line. */
  noWrap?: boolean;
  /** Narrowest window that shows the column. The drawer shows every value. */
  hiddenBelow?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  /**
   * On a phone, shows the value on a second line under the row's name instead of in a column. `first` puts the
   * value at the start of that line. `whole` shows all of it, with its buttons, on as many lines as it needs.
   */
  isUnderName?: boolean | 'first' | 'whole';
  /** On a phone, shows the value under the last column, which is an amount. */
  isUnderAmount?: boolean;
  /** Returns whether a row's value is empty. If it is for every row of a page, the column is left out. */
  isBlank?(row: Row): boolean;
  /** True if the value starts with a person's circle, which the loading placeholder then has, too. */
  hasMonogram?: boolean;
}

interface DataTableProps<Row> {
  /** Accessible name of the table, such as "Transactions". */
  label: string;
  /** Name of the list, such as `transactions`. If present, columns can be hidden. */
  list?: string;
  columns: readonly Column<Row>[];
  /** Page of rows from `usePage`. */
  page: UseQueryResult<PageOf<Row>, unknown>;
  /** Key of a row. With `onSelect`, this must be the same function in each render. */
  rowKey(row: Row): string;
  /** Returns a row's name for "Open …". If absent, rows can't be opened. */
  rowName?: (row: Row) => string;
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
    return <ErrorNotice error={page.error} onRetry={() => void page.refetch()} />;
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

function Loading<Row>({ list, columns: given, rowName, onSelect, usualRows = 10 }: DataTableProps<Row>) {
  const { hidden } = useHiddenColumns(list);
  const { columns, underName, underAmount } = useColumns(given, hidden, []);
  return (
    <TableSkeleton
      columns={columns}
      hasBoxes={onSelect !== undefined}
      hasOpeners={rowName !== undefined || list !== undefined}
      hasMenu={list !== undefined}
      hasUnderName={underName.length > 0}
      hasUnderAmount={underAmount.length > 0}
      rows={usualRows}
    />
  );
}

function Rows<Row extends object>(props: DataTableProps<Row> & { rows: readonly Row[] }) {
  const { label, list, rows, rowKey, rowName, selectionName = rowName, onSelect, page } = props;
  const { hidden, hide } = useHiddenColumns(list);
  const { columns, underName, underAmount } = useColumns(props.columns, hidden, rows);
  const { query, setQuery } = useUrlState();
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const body = useRef<HTMLTableSectionElement>(null);
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
  return (
    <TimeLength value={isNarrow ? 'short' : 'full'}>
      <Box className={classes.scroller} aria-busy={page.isPlaceholderData}>
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
              {columns.map(({ id, header, align, hiddenBelow }) => (
                <Table.Th key={id} data-align={align} visibleFrom={hiddenBelow} scope="col">
                  {header}
                </Table.Th>
              ))}
              {list === undefined ? (
                rowName !== undefined && <Table.Th className={classes.narrow} aria-label={t('Open')} />
              ) : (
                <Table.Th className={classes.narrow} {...(rowName === undefined && { visibleFrom: 'sm' })}>
                  <Box visibleFrom="sm">
                    <ColumnsMenu columns={props.columns} hidden={hidden} onHide={hide} />
                  </Box>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {table.getRowModel().rows.map((row) => (
              <BodyRow
                key={row.id}
                id={row.id}
                row={row.original}
                name={rowName?.(row.original)}
                selectionName={selectionName?.(row.original) ?? row.id}
                columns={columns}
                underName={underName}
                underAmount={underAmount}
                hasColumnsMenu={list !== undefined}
                isOpen={query.open === row.id}
                isShown={shown === row.id}
                isSelected={row.getIsSelected()}
                onOpen={open}
                {...(onSelect !== undefined && { onSelect: select })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </TimeLength>
  );
}

interface BodyRowProps<Row> {
  id: string;
  row: Row;
  /** Name for "Open …"; undefined if the row can't be opened. */
  name: string | undefined;
  /** Name for "Select …". */
  selectionName: string;
  columns: readonly Column<Row>[];
  underName: readonly Column<Row>[];
  underAmount: readonly Column<Row>[];
  hasColumnsMenu: boolean;
  isOpen: boolean;
  isShown: boolean;
  isSelected: boolean;
  onOpen(id: string): void;
  onSelect?: (id: string, isSelected: boolean) => void;
}

/** Row of the table. It renders again only if its own data or state changed, so a click is answered at once. */
const BodyRow = memo(function BodyRow<Row extends object>(props: BodyRowProps<Row>) {
  const { id, row, name, columns, underName, underAmount, hasColumnsMenu, onOpen, onSelect } = props;
  return (
    <Table.Tr
      className={name && classes.opens}
      data-open={props.isOpen || undefined}
      data-shown={props.isShown || undefined}
      onClick={(event) => {
        if (name !== undefined && !isOnControl(event.target)) onOpen(id);
      }}
    >
      {onSelect !== undefined && (
        <Table.Td className={classes.narrow}>
          <Checkbox
            aria-label={t('Select {name}', { name: props.selectionName })}
            checked={props.isSelected}
            onChange={(event) => onSelect(id, event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td
          key={column.id}
          data-align={column.align}
          data-whole={column.noWrap}
          visibleFrom={column.hiddenBelow}
        >
          {column.cell(row)}
          {column.id === columns[0]?.id && (
            <Under
              columns={underName}
              row={row}
              isLine={underName.every((each) => each.isUnderName !== 'whole')}
            />
          )}
          {column.id === columns.at(-1)?.id && <Under columns={underAmount} row={row} />}
        </Table.Td>
      ))}
      {hasColumnsMenu && name === undefined && <Table.Td className={classes.narrow} visibleFrom="sm" />}
      {name !== undefined && (
        <Table.Td className={classes.narrow}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            data-row-opener={id}
            aria-label={t('Open {name}', { name })}
            onClick={() => onOpen(id)}
          >
            <Icon name="right" size={16} />
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  );
}) as <Row extends object>(props: BodyRowProps<Row>) => ReactNode;

/** Leaves out hidden and blank columns. On a phone, splits the others into real columns and values on the second line. */
function useColumns<Row>(given: readonly Column<Row>[], hidden: readonly string[], rows: readonly Row[]) {
  const isNarrow = useNarrow();
  const hiddenIds = [
    ...hidden,
    ...given.filter(({ isBlank }) => isBlank && rows.every(isBlank)).map(({ id }) => id),
  ].join();
  return useMemo(() => {
    const name = nameColumnOf(given);
    const all = given.filter(
      ({ id, hiddenBelow, isUnderName, isUnderAmount }) =>
        (id === name || !hiddenIds.split(',').includes(id)) &&
        // A column that no phone shows can't be the last one, which has the values under the amount.
        (!isNarrow || isUnderName || isUnderAmount || hiddenBelow === undefined || hiddenBelow === 'xs'),
    );
    const underName = all
      .filter((each) => isNarrow && each.isUnderName)
      .toSorted((one, other) => Number(other.isUnderName === 'first') - Number(one.isUnderName === 'first'));
    const underAmount = all.filter((each) => isNarrow && each.isUnderAmount);
    const under = [...underName, ...underAmount];
    return { columns: all.filter((each) => !under.includes(each)), underName, underAmount };
  }, [given, hiddenIds, isNarrow]);
}

interface UnderProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
  /** Keeps the values on a single line. */
  isLine?: boolean;
}

function Under<Row>({ columns, row, isLine }: UnderProps<Row>) {
  if (columns.length === 0) return null;
  return (
    <Group className={classes.under} component="span" data-line={isLine}>
      <TimeLength value="shortest">
        {columns.map(({ id, cell }) => (
          <span key={id}>{cell(row)}</span>
        ))}
      </TimeLength>
    </Group>
  );
}

/** Returns whether a click was meant for a control in the row, or ended a text selection. */
const isOnControl = (target: EventTarget): boolean =>
  (target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null) ||
  window.getSelection()?.type === 'Range';
