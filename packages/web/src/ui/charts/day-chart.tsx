import { Box, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../icons.tsx';
import { Money } from '../money.tsx';
import { Scroller } from '../scroller.tsx';
import { t } from '../text.ts';
import { UtcDay } from '../when.tsx';
import classes from './charts.module.css';
import type { DayFigures, Series } from './day-figures.ts';
import { Drawing } from './drawing.tsx';

interface DayChartProps {
  label: string;
  currency: string;
  days: readonly DayFigures[];
  series: readonly Series[];
  /** Day that isn't over, if it is among the days. The chart leaves it out, because its line would fall to almost zero. */
  unfinishedDay?: string;
  /** Opens the list behind a day's figures. */
  onOpen?: (day: string) => void;
  /** Wraps a day in the table in a link to the list behind the day's figures. */
  dayLink?: (day: string, content: ReactNode) => ReactNode;
}

/** Amounts by UTC day, as a chart or as a table with the exact figures. */
export function DayChart(props: DayChartProps) {
  const { label, currency, days, unfinishedDay } = props;
  const [shown, setShown] = useState('chart');
  const finished = days.filter(({ day }) => day !== unfinishedDay);
  const drawn = finished.length > 1 ? finished : days;
  return (
    <Box component="figure" m={0} className={classes.figure} aria-label={label}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb="xs">
        <Text size="sm" c="dimmed">
          {shown === 'chart' && drawn.length < days.length
            ? t('{currency} by UTC day, through yesterday', { currency })
            : t('{currency} by UTC day', { currency })}
        </Text>
        <SegmentedControl
          size="xs"
          flex="none"
          aria-label={t('View of {label}', { label })}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'chart', label: <Labeled icon="chart">{t('Chart')}</Labeled> },
            { value: 'table', label: <Labeled icon="table">{t('Table')}</Labeled> },
          ]}
        />
      </Group>
      {shown === 'table' ? <Figures {...props} /> : <Drawing {...props} days={drawn} />}
    </Box>
  );
}

function Labeled({ icon, children }: { icon: 'chart' | 'table'; children: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      <Icon name={icon} size={14} />
      {children}
    </Group>
  );
}

function Figures(props: DayChartProps) {
  const { label, currency, days, series, unfinishedDay, dayLink = (_day, content) => content } = props;
  return (
    <Box className={classes.table}>
      <Scroller label={label} isFilling>
        <Table aria-label={label} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('UTC day')}</Table.Th>
              {series.map((each) => (
                <Table.Th key={each.name} scope="col" ta="end">
                  {each.label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.map(({ day, minor }) => (
              <Table.Tr key={day}>
                <Table.Th scope="row" fw={400}>
                  {dayLink(day, <UtcDay day={day} />)}
                  {day === unfinishedDay && ` ${t('so far')}`}
                </Table.Th>
                {series.map(({ name }) => (
                  <Table.Td key={name} ta="end">
                    <Money minor={minor[name] ?? null} currency={currency} isSigned />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroller>
    </Box>
  );
}
