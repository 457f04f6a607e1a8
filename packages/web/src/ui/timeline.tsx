import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { formatPercent } from './percent.tsx';
import { usePreferences } from './preferences.ts';
import { t } from './text.ts';
import classes from './timeline.module.css';
import { type Moved, useDrag } from './timeline-drag.ts';
import { columnsOf, type Span, ticksOf } from './timeline-grid.ts';
import { useNarrow } from './use-narrow.ts';

/** Window on a lane; milliseconds, half-open. */
export interface TimelineBar extends Span {
  key: string;
  percent: number;
  /** `inherited`: the share for all creators; `draft`: being edited; `clash`: an overlap of two windows. */
  look: 'own' | 'inherited' | 'draft' | 'clash';
  title: string;
}

export interface TimelineLane {
  key: string;
  name: string;
  /** Percentage outside the windows. */
  baseline: number;
  bars: readonly TimelineBar[];
}

interface TimelineProps {
  range: Span;
  nowMs: number;
  lanes: readonly TimelineLane[];
  /** Description for screen readers, which names the equivalent table. */
  description: string;
  onOpen?: (key: string) => void;
  /** Called with a dragged window, which isn't saved yet. Undefined if windows can't be moved. */
  onMove?: ((moved: Moved) => void) | undefined;
}

/**
 * Lanes over time, drawn in one grid with a line at each start and end. Adjacent windows share a line, and
 * gaps are to scale. A click opens a window. Keyboard and screen reader users open a window from the
 * equivalent table.
 */
export function Timeline({ range, nowMs, lanes, description, onOpen, onMove }: TimelineProps) {
  const { zone } = usePreferences();
  const drag = useDrag({ zone, onMove });
  /** Returns a window's position. While a window is being dragged, its new position applies in all lanes. */
  const spanOf = (bar: TimelineBar): Span => (drag.moved?.key === bar.key ? drag.moved : bar);
  const isNarrow = useNarrow();
  const ticks = ticksOf(range, zone, isNarrow ? 4 : 10);
  const inRange = (span: Span): boolean => span.until > range.from && span.from < range.until;
  const bars = lanes.flatMap((lane) => lane.bars.map(spanOf)).filter(inRange);
  const times = [nowMs, ...ticks.map(({ at }) => at), ...bars.flatMap(({ from, until }) => [from, until])];
  const { template, lineAt } = columnsOf(range, times);
  const between = ({ from, until }: Span): CSSProperties => ({
    gridColumn: `${lineAt(from) + 1} / ${Math.max(lineAt(until), lineAt(from) + 1) + 1}`,
  });
  const labelMs = (range.until - range.from) * (isNarrow ? 0.14 : 0.04);
  /**
   * Returns the side of a narrow window that has room for its share. Another window would cover it there, and the line of the
   * current time would cross it.
   */
  const sideOf = (bar: TimelineBar, inLane: readonly Span[]): 'start' | 'end' | 'none' => {
    const { from, until } = spanOf(bar);
    const starts = [nowMs, ...inLane.map((each) => each.from)];
    const ends = [nowMs, ...inLane.map((each) => each.until)];
    const next = Math.min(range.until, ...starts.filter((at) => at >= until));
    const previous = Math.max(range.from, ...ends.filter((at) => at <= from));
    if (next - until >= labelMs) return 'end';
    return from - previous >= labelMs ? 'start' : 'none';
  };
  /**
   * Keeps a window's share out of the way of the current time's line: on one side of the line, or beside the window if neither
   * side has room.
   */
  const avoidNow = (bar: TimelineBar): { padding: CSSProperties; isApart?: true } => {
    const span = spanOf(bar);
    const [from, until] = [Math.max(span.from, range.from), Math.min(span.until, range.until)];
    if (nowMs <= from || nowMs >= until) return { padding: {} };
    const percent = (ms: number): string => `${((ms / (until - from)) * 100).toFixed(2)}%`;
    if (Math.max(nowMs - from, until - nowMs) < labelMs) return { padding: {}, isApart: true };
    const padding =
      nowMs - from >= until - nowMs
        ? { paddingInlineEnd: percent(until - nowMs) }
        : { paddingInlineStart: percent(nowMs - from) };
    return { padding };
  };
  const grid = useRef<HTMLDivElement>(null);
  const msPerPixel = (): number => {
    const lane = grid.current?.querySelector('[data-whole-lane]')?.getBoundingClientRect();
    return lane === undefined || lane.width === 0 ? 0 : (range.until - range.from) / lane.width;
  };
  const looks = new Set(lanes.flatMap((lane) => lane.bars.filter(inRange).map(({ look }) => look)));
  const showsNow = nowMs >= range.from && nowMs < range.until;
  return (
    <>
      <div className={classes.scroller}>
        <VisuallyHidden>{description}</VisuallyHidden>
        <div
          ref={grid}
          className={classes.grid}
          style={{ gridTemplateColumns: `var(--names) ${template}` }}
          aria-hidden="true"
        >
          {ticks.map(({ at, label }) => (
            <Cell key={at} row={1} style={{ gridColumn: `${lineAt(at) + 1} / -1` }} className={classes.tick}>
              {label}
            </Cell>
          ))}
          {lanes.map((lane, index) => (
            <Lane key={lane.key} lane={lane} row={index + 2}>
              {lane.bars
                .filter((bar) => inRange(spanOf(bar)))
                .map((bar) => (
                  <button
                    key={`${bar.key} ${bar.look} ${bar.from}`}
                    type="button"
                    tabIndex={-1}
                    className={classes.bar}
                    data-look={spanOf(bar) === bar ? bar.look : 'draft'}
                    data-movable={drag.handlersOf !== null || undefined}
                    title={bar.title}
                    style={{ ...between(spanOf(bar)), gridRow: index + 2, ...avoidNow(bar).padding }}
                    onClick={() => drag.wasDragged() || onOpen?.(bar.key)}
                    {...drag.handlersOf?.(bar, msPerPixel)}
                  >
                    {bar.look !== 'clash' && (
                      <span data-side={sideOf(bar, lane.bars.map(spanOf))} data-apart={avoidNow(bar).isApart}>
                        {formatPercent(bar.percent)}
                      </span>
                    )}
                    {drag.handlersOf !== null && (
                      <>
                        <i data-edge="from" />
                        <i data-edge="until" />
                      </>
                    )}
                  </button>
                ))}
            </Lane>
          ))}
          {showsNow && (
            <div
              className={classes.now}
              style={{ gridColumn: `${lineAt(nowMs) + 1} / -1`, gridRow: `1 / ${lanes.length + 2}` }}
            >
              <span>{t('now')}</span>
            </div>
          )}
        </div>
      </div>
      <Legend looks={looks} hasNow={showsNow && isNarrow} />
    </>
  );
}

/** Meaning of the bars that are shown. Hidden from screen readers, which read the table instead. */
function Legend({ looks, hasNow }: { looks: ReadonlySet<TimelineBar['look']>; hasNow: boolean }) {
  const names: readonly (readonly [TimelineBar['look'], string])[] = [
    ['own', t('Share from a schedule')],
    ['inherited', t('Share for all creators, also in this tier')],
    ['draft', t('This schedule, not saved yet')],
    ['clash', t('Overlap, which can’t be saved')],
  ];
  return (
    <div className={classes.legend} aria-hidden="true">
      <span>
        <i data-look="baseline" />
        {t('Share without a schedule')}
      </span>
      {names
        .filter(([look]) => looks.has(look))
        .map(([look, name]) => (
          <span key={look}>
            <i data-look={look} />
            {name}
          </span>
        ))}
      {hasNow && (
        <span>
          <i data-look="now" />
          {t('Now')}
        </span>
      )}
    </div>
  );
}

interface CellProps {
  row: number;
  style: CSSProperties;
  className: string | undefined;
  children?: ReactNode;
}

const Cell = ({ row, style, className, children }: CellProps) => (
  <div className={className} style={{ ...style, gridRow: row }}>
    {children}
  </div>
);

function Lane({ lane, row, children }: { lane: TimelineLane; row: number; children: ReactNode }) {
  return (
    <>
      <Cell row={row} style={{ gridColumn: '1 / 2' }} className={classes.name}>
        <span>{lane.name}</span>
        <span>{formatPercent(lane.baseline)}</span>
      </Cell>
      <div data-whole-lane className={classes.baseline} style={{ gridColumn: '2 / -1', gridRow: row }} />
      {children}
    </>
  );
}
