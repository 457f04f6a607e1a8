import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { nowMs } from './clock.ts';
import classes from './data-table.module.css';
import { t } from './text.ts';
import { formatWhen } from './when.tsx';
import { useZone, type Zone } from './zone.ts';

interface Day<Row> {
  key: string;
  /** Time of the day's first row. */
  at: string;
  rows: Row[];
}

/** Groups rows, which are in the order of their time, by day. */
export function daysOf<Row>(rows: readonly Row[], zone: Zone, atOf: (row: Row) => string): Day<Row>[] {
  const days: Day<Row>[] = [];
  for (const row of rows) {
    const at = atOf(row);
    const key = formatWhen(at, zone, 'day');
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, at, rows: [row] });
  }
  return days;
}

/** Heading of the rows of a day. */
export function DayHead({ at, columns }: { at: string; columns: number }) {
  const zone = useZone();
  return <SectionHead columns={columns}>{nameOfDay(at, zone)}</SectionHead>;
}

/** Heading of rows that follow each other. */
export const SectionHead = ({ columns, children }: { columns: number; children: ReactNode }) => (
  <Table.Tr className={classes.day}>
    <Table.Th colSpan={columns} scope="rowgroup">
      {children}
    </Table.Th>
  </Table.Tr>
);

const hourMs = 3_600_000;

/** @returns the day with its weekday; of today and yesterday, with that word instead. Leaves out the current year. */
function nameOfDay(at: string, zone: Zone): string {
  const dayOf = (ms: number): string => formatWhen(new Date(ms).toISOString(), zone, 'day');
  const day = formatWhen(at, zone, 'day');
  const isThisYear = yearOf(day) === yearOf(dayOf(nowMs()));
  const date = isThisYear ? formatWhen(at, zone, 'shortDay') : day;
  if (day === dayOf(nowMs())) return t('Today, {date}', { date });
  if (day === dayBeforeToday(dayOf)) return t('Yesterday, {date}', { date });
  return formatWhen(at, zone, isThisYear ? 'weekday' : 'weekdayOfYear');
}

/** Returns yesterday. Goes back by hours, because a day may have 23 or 25 of them. */
function dayBeforeToday(dayOf: (ms: number) => string): string {
  const today = dayOf(nowMs());
  let ms = nowMs();
  while (dayOf(ms) === today) ms -= hourMs;
  return dayOf(ms);
}

const yearOf = (day: string): string | undefined => day.match(/\d{4}/)?.[0];
