import classes from './charts.module.css';
import { strokeOf } from './stroke.ts';

/** Trend of a few values as a small line. Decoration only: the figures beside the line state its values. */
export function Sparkline({ values, color }: { values: readonly number[]; color: string }) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const last = Math.max(1, values.length - 1);
  const top = (value: number): number => (high === low ? 100 : 100 - ((value - low) / (high - low)) * 100);
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`${classes.lines} ${classes.spark}`}
    >
      <polyline
        points={values.map((value, at) => `${(at / last) * 100},${top(value)}`).join(' ')}
        stroke={strokeOf(color)}
      />
    </svg>
  );
}
