import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import classes from './late.module.css';
import { t } from './text.ts';

interface LateProps {
  /** Height to reserve from the start, so that content below doesn't move. */
  minHeight?: CSSProperties['minHeight'];
  /** True for a part of a page that already has such a placeholder, so that screen readers find only one. */
  isSilent?: boolean;
  /** Shape of the content that is loading. Screen readers don't see it. */
  children: ReactNode;
}

/** Placeholder for content that is loading, shown after 200 ms so that fast responses don't flicker. */
export function Late({ minHeight, isSilent = false, children }: LateProps) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return <div style={{ minHeight }} />;
  return (
    <div style={{ minHeight }} aria-busy="true">
      {!isSilent && <VisuallyHidden role="status">{t('Loading')}</VisuallyHidden>}
      <div className={classes.shape} aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

interface BarProps {
  /** Width, such as `8rem`. */
  width: string;
  height?: string;
  radius?: string;
}

/** Bar in place of text, or with a height in place of another thing. */
export const Bar = ({ width, height, radius }: BarProps) => (
  <span
    className={height === undefined ? `${classes.bar} ${classes.text}` : classes.bar}
    style={{ inlineSize: width, blockSize: height, borderRadius: radius }}
  />
);

/** Returns a width that differs from line to line, so that the bars look like text, and is the same each time. */
export const barWidth = (line: number, minRem: number, maxRem: number): string =>
  `${minRem + (((line * 37) % 11) / 10) * (maxRem - minRem)}rem`;
