import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { exponentOf } from '../currencies.ts';
import { formatUtcDay } from '../when.tsx';
import type { DayFigures, Series } from './day-figures.ts';

interface DrawingProps {
  label: string;
  currency: string;
  days: readonly DayFigures[];
  series: readonly Series[];
  height: number;
  format(minor: string): string;
}

/** The lines. Their heights are numbers, near enough for a drawing; what the tooltip says is exact. */
export function Drawing({ label, currency, days, series, height, format }: DrawingProps) {
  const unit = 10 ** (exponentOf(currency) ?? 0);
  const exact = new Map(days.map(({ day, minor }) => [formatUtcDay(day), minor]));
  const data = days.map(({ day, minor }) => ({
    day: formatUtcDay(day),
    ...Object.fromEntries(series.map(({ name }) => [name, Number(minor[name] ?? 0) / unit])),
  }));
  return (
    <LineChart
      h={height}
      data={data}
      dataKey="day"
      series={series.map(({ name, label: seriesLabel, color, strokeDasharray }) => ({
        name,
        label: seriesLabel,
        color,
        ...(strokeDasharray !== undefined && { strokeDasharray }),
      }))}
      withDots={false}
      withLegend={series.length > 1}
      curveType="linear"
      lineChartProps={{ accessibilityLayer: true, title: label }}
      lineProps={{ isAnimationActive: false }}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label: day }) => (
          <Said day={String(day)} figures={exact.get(String(day)) ?? {}} series={series} format={format} />
        ),
      }}
    />
  );
}

interface SaidProps extends Pick<DrawingProps, 'series' | 'format'> {
  day: string;
  figures: Readonly<Record<string, string>>;
}

function Said({ day, figures, series, format }: SaidProps) {
  return (
    <div
      style={{
        background: 'var(--mantine-color-body)',
        border: '1px solid var(--mantine-color-default-border)',
        padding: '0.5rem',
      }}
    >
      <strong>{day}</strong>
      {series.map(({ name, label }) => (
        <div key={name}>
          {label}: {format(figures[name] ?? '0')}
        </div>
      ))}
    </div>
  );
}
