import { formatCount } from './percent.tsx';
import { t } from './text.ts';

/** A line as high as a word; its figures stand elsewhere, so it says but the least and the most. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [width, height] = [96, 24];
  const most = Math.max(...values, 1);
  const least = Math.min(...values, 0);
  const step = width / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, at) =>
      `${(at * step).toFixed(1)},${(height - 2 - ((value - least) / (most - least)) * (height - 4)).toFixed(1)}`,
  );
  const said = t('{label}: from {least} to {most}', {
    label,
    least: formatCount(least),
    most: formatCount(most),
  });
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth="1.5"
      />
    </svg>
  );
}
