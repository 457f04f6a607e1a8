import { Box } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { exponentOf } from '../currencies.ts';
import { formatMoney } from '../money.tsx';
import { t } from '../text.ts';
import { formatUtcDay } from '../when.tsx';
import classes from './charts.module.css';
import type { DayFigures, Series } from './day-figures.ts';
import { formatShort, formatShortDay, ticksFor } from './scale.ts';
import { strokeOf } from './stroke.ts';

interface DrawingProps {
  label: string;
  currency: string;
  days: readonly DayFigures[];
  series: readonly Series[];
  /** Opens the list behind a day's figures on a click or Enter. */
  onOpen?: ((day: string) => void) | undefined;
}

/**
 * Line chart over UTC days. Heights are floating-point numbers; the amounts beside the marker are exact. The
 * marker follows the pointer and the arrow keys. Positions are percentages. Nothing has to be measured, so
 * nothing shifts after the first paint.
 */
export function Drawing({ label, currency, days, series, onOpen }: DrawingProps) {
  const [marked, setMarked] = useState<number | null>(null);
  const plot = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const areaId = useId();
  /** True if the click that follows a press opens the day. On a touch screen, the first tap only marks the day. */
  const opens = useRef(true);
  const unit = 10 ** (exponentOf(currency) ?? 0);
  const valueAt = (day: DayFigures, name: string): number => Number(day.minor[name] ?? 0) / unit;
  const ticks = ticksFor(days.flatMap((day) => series.map(({ name }) => valueAt(day, name))));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const last = days.length - 1;
  const left = (index: number): number => (last === 0 ? 50 : (index / last) * 100);
  const top = (value: number): number => 100 - ((value - low) / (high - low)) * 100;
  const pointsOf = (name: string): string =>
    days.map((each, at) => `${left(at)},${top(valueAt(each, name))}`).join(' ');
  const move = ({ clientX }: PointerEvent): number | null => {
    const box = plot.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const index = Math.min(last, Math.max(0, Math.round(((clientX - box.left) / box.width) * last)));
    setMarked(index);
    return index;
  };
  const pressPointer = (event: PointerEvent): void => {
    const index = move(event);
    opens.current = event.pointerType !== 'touch' || index === marked;
  };
  const press = (event: KeyboardEvent): void => {
    const at = marked ?? last;
    if (event.key === 'Enter' && day !== undefined) onOpen?.(day.day);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setMarked(Math.min(last, Math.max(0, to)));
  };
  const day = days[marked ?? last];
  return (
    <Box className={classes.chart}>
      <Legend series={series} />
      <div className={classes.frame}>
        <div className={classes.amounts} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ insetBlockStart: `${top(tick)}%` }}>
              {formatShort(tick)}
            </span>
          ))}
        </div>
        {/* A slider whose value is a day. Screen readers can move it, and read the value after each key press. */}
        <div
          ref={plot}
          className={classes.plot}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-readonly="true"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={marked ?? last}
          aria-valuetext={day === undefined ? '' : valueText(day, series, currency)}
          aria-describedby={onOpen && hintId}
          data-opens={onOpen !== undefined || undefined}
          onPointerMove={move}
          onPointerDown={pressPointer}
          onPointerLeave={({ pointerType }) => {
            if (pointerType !== 'touch') setMarked(null);
          }}
          onClick={() => {
            if (opens.current && day !== undefined) onOpen?.(day.day);
          }}
          onFocus={() => setMarked((before) => before ?? last)}
          onBlur={() => setMarked(null)}
          onKeyDown={press}
        >
          {ticks.map((tick) => (
            <i key={tick} className={classes.grid} style={{ insetBlockStart: `${top(tick)}%` }} />
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className={classes.lines}>
            <Gradient id={areaId} color={series.find(({ isFilled }) => isFilled)?.color} />
            {series.map(
              ({ name, isFilled }) =>
                isFilled && (
                  <polygon
                    key={`area ${name}`}
                    fill={`url(#${areaId})`}
                    points={`${left(0)},${top(Math.max(0, low))} ${pointsOf(name)} ${left(last)},${top(Math.max(0, low))}`}
                  />
                ),
            )}
            {series.map(({ name, color, strokeDasharray }) => (
              <polyline
                key={name}
                data-series={name}
                points={pointsOf(name)}
                stroke={strokeOf(color)}
                strokeDasharray={strokeDasharray}
              />
            ))}
          </svg>
          {marked !== null && day !== undefined && (
            <>
              <i className={classes.marker} style={{ insetInlineStart: `${left(marked)}%` }} />
              {series.map(({ name, color }) => (
                <i
                  key={name}
                  className={classes.dot}
                  style={{
                    insetInlineStart: `${left(marked)}%`,
                    insetBlockStart: `${top(valueAt(day, name))}%`,
                    background: strokeOf(color),
                  }}
                />
              ))}
              <div
                className={classes.said}
                data-side={marked * 2 > last ? 'before' : 'after'}
                style={{ '--at': `${left(marked)}%` } as CSSProperties}
              >
                <strong>{formatUtcDay(day.day)}</strong>
                {series.map(({ name, label: seriesLabel }) => (
                  <div key={name}>
                    {seriesLabel}: {formatMoney(day.minor[name] ?? '0', currency)}
                  </div>
                ))}
                {onOpen !== undefined && (
                  <div className={classes.hint}>{t('Click or press Enter for the purchases')}</div>
                )}
              </div>
            </>
          )}
          {onOpen !== undefined && (
            <span id={hintId} hidden>
              {t('Press Enter for the day’s purchases.')}
            </span>
          )}
        </div>
        <div className={classes.days} aria-hidden="true">
          {labeledDays(last).map((at) => (
            <span key={at} data-end={ends.get(at / last)} style={{ insetInlineStart: `${left(at)}%` }}>
              {formatShortDay(days[at]?.day ?? '')}
            </span>
          ))}
        </div>
      </div>
    </Box>
  );
}

/** Aligns the outer labels with the ends of the lines. */
const ends = new Map([
  [0, 'first'],
  [1, 'last'],
]);

/** @returns indexes of the labeled days: four, or fewer if there are fewer days */
const labeledDays = (last: number): number[] => [
  ...new Set([0, Math.round(last / 3), Math.round((last * 2) / 3), last]),
];

/** Fill of the area below a line, which fades toward the bottom. */
const Gradient = ({ id, color }: { id: string; color: string | undefined }) =>
  color !== undefined && (
    <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
      <stop offset="0" stopColor={strokeOf(color)} stopOpacity="0.2" />
      <stop offset="1" stopColor={strokeOf(color)} stopOpacity="0" />
    </linearGradient>
  );

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <div className={classes.legend}>
      {series.map(({ name, label, color, strokeDasharray }) => (
        <span key={name}>
          <svg width="24" height="8" aria-hidden="true" className={classes.lines}>
            <line x1="0" x2="24" y1="4" y2="4" stroke={strokeOf(color)} strokeDasharray={strokeDasharray} />
          </svg>
          {label}
        </span>
      ))}
    </div>
  );
}

const valueText = ({ day, minor }: DayFigures, series: readonly Series[], currency: string): string =>
  [
    formatUtcDay(day),
    ...series.map(({ name, label }) =>
      t('{name} {amount}', { name: label, amount: formatMoney(minor[name] ?? '0', currency) }),
    ),
  ].join(', ');
