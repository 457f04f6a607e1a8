import { ActionIcon, Checkbox, Group, Table } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './data-table.module.css';
import { Icon } from './icons.tsx';
import type { Column } from './table-column.ts';
import { t } from './text.ts';
import { TimeLength } from './when.tsx';

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
  /** Column of the times of rows that are grouped by day, under the day's heading. */
  timeColumn: string | undefined;
  hasColumnsMenu: boolean;
  /** True if the link in the first cell leads to the row's page. */
  isLinked: boolean;
  isOpen: boolean;
  isShown: boolean;
  isSelected: boolean;
  onOpen(id: string): void;
  onSelect?: (id: string, isSelected: boolean) => void;
}

/** Row of the table. It renders again only if its own data or state changed, so a click is answered at once. */
export const BodyRow = memo(function BodyRow<Row extends object>(props: BodyRowProps<Row>) {
  const { id, row, name, columns, underName, underAmount, timeColumn, hasColumnsMenu, onOpen, onSelect } =
    props;
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
          data-tone={column.tone}
          data-whole={column.noWrap}
          data-cut={column.isCut}
          visibleFrom={column.hiddenBelow}
        >
          {column.id === timeColumn ? (
            <TimeLength value="time">{column.cell(row)}</TimeLength>
          ) : (
            column.cell(row)
          )}
          {column.id === columns[0]?.id && (
            <>
              <Under
                columns={underName.filter((each) => each.isUnderName !== 'below')}
                row={row}
                timeColumn={timeColumn}
                isLine={underName.every((each) => each.isUnderName !== 'whole')}
              />
              {underName.map(
                ({ id, isUnderName, cell }) =>
                  isUnderName === 'below' && (
                    <span key={id} className={classes.below}>
                      {cell(row)}
                    </span>
                  ),
              )}
            </>
          )}
          {column.id === columns.at(-1)?.id && (
            <Under columns={underAmount} row={row} timeColumn={timeColumn} />
          )}
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
      {props.isLinked && (
        <Table.Td className={classes.narrow} hiddenFrom="sm" aria-hidden>
          <Icon name="right" size={16} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}) as <Row extends object>(props: BodyRowProps<Row>) => ReactNode;

interface UnderProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
  timeColumn: string | undefined;
  /** Keeps the values on a single line. */
  isLine?: boolean;
}

function Under<Row>({ columns, row, timeColumn, isLine }: UnderProps<Row>) {
  if (columns.length === 0) return null;
  return (
    <Group className={classes.under} component="span" data-line={isLine}>
      {columns.map(({ id, cell, noWrap }) => (
        <TimeLength key={id} value={id === timeColumn ? 'time' : 'shortest'}>
          <span data-whole={noWrap}>{cell(row)}</span>
        </TimeLength>
      ))}
    </Group>
  );
}

/** Returns whether a click was meant for a control in the row, or ended a text selection. */
const isOnControl = (target: EventTarget): boolean =>
  (target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null) ||
  window.getSelection()?.type === 'Range';
