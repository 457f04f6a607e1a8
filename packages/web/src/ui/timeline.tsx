import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { formatPercent } from './percent.tsx';
import { usePreferences } from './preferences.ts';
import { t } from './text.ts';
import classes from './timeline.module.css';
import { type Moved, useDrag } from './timeline-drag.ts';
import { columnsOf, type Span, ticksOf } from './timeline-grid.ts';

/** A window on a lane; milliseconds, half-open. */
export interface TimelineBar extends Span {
  key: string;
  percent: number;
  /** `inherited`: what is said for everybody; `draft`: what is being typed; `clash`: where two are in each other's way. */
  look: 'own' | 'inherited' | 'draft' | 'clash';
  /** In the tooltip. */
  title: string;
}

export interface TimelineLane {
  key: string;
  name: string;
  /** What stands while no window does, in percent. */
  baseline: number;
  bars: readonly TimelineBar[];
}

interface TimelineProps {
  range: Span;
  nowMs: number;
  lanes: readonly TimelineLane[];
  /** Where the same can be read, for people who do not see the drawing. */
  said: string;
  onOpen?: (key: string) => void;
  /** Where windows can be moved: to what somebody moved one, which is saved nowhere yet. */
  onMove?: ((moved: Moved) => void) | undefined;
}

/**
 * Lanes over time, in one grid whose columns lie between all the moments there are: what touches shares a line, and gaps
 * are as wide as they are long. A click opens a window; the table that says the same does it for everybody else.
 */
export function Timeline({ range, nowMs, lanes, said, onOpen, onMove }: TimelineProps) {
  const { zone } = usePreferences();
  const drag = useDrag({ zone, onMove });
  /** While it is dragged a window lies where it would be, in all lanes. */
  const spanOf = (bar: TimelineBar): Span => (drag.moved?.key === bar.key ? drag.moved : bar);
  const ticks = ticksOf(range, zone);
  const inRange = (span: Span): boolean => span.until > range.from && span.from < range.until;
  const bars = lanes.flatMap((lane) => lane.bars.map(spanOf)).filter(inRange);
  const moments = [nowMs, ...ticks.map(({ at }) => at), ...bars.flatMap(({ from, until }) => [from, until])];
  const { template, lineAt } = columnsOf(range, moments);
  const between = ({ from, until }: Span): CSSProperties => ({
    gridColumn: `${lineAt(from) + 1} / ${Math.max(lineAt(until), lineAt(from) + 1) + 1}`,
  });
  const grid = useRef<HTMLDivElement>(null);
  const msPerPixel = (): number => {
    const lane = grid.current?.querySelector('[data-whole-lane]')?.getBoundingClientRect();
    return lane === undefined || lane.width === 0 ? 0 : (range.until - range.from) / lane.width;
  };
  const showsNow = nowMs >= range.from && nowMs < range.until;
  return (
    <div className={classes.scroller}>
      <VisuallyHidden>{said}</VisuallyHidden>
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
                  style={{ ...between(spanOf(bar)), gridRow: index + 2 }}
                  onClick={() => drag.wasDragged() || onOpen?.(bar.key)}
                  {...drag.handlersOf?.(bar, msPerPixel)}
                >
                  {bar.look !== 'clash' && <span>{formatPercent(bar.percent)}</span>}
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
