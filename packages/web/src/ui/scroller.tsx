import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './scroller.module.css';

interface ScrollerProps {
  /** Accessible name, such as that of the table. */
  label: string;
  /** Element that scrolls, for callers that look for rows in it. */
  ref?: RefObject<HTMLDivElement | null> | undefined;
  /** True to fill the height of the element around it, and to also scroll down. */
  isFilling?: boolean;
  isBusy?: boolean | undefined;
  children: ReactNode;
}

/**
 * Area that scrolls sideways if a table is wider than the page. It fades at each edge behind which there is more. While there
 * is, the keyboard can focus and scroll it.
 */
export function Scroller({ label, ref, isFilling = false, isBusy, children }: ScrollerProps) {
  const own = useRef<HTMLDivElement>(null);
  const area = ref ?? own;
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const { current } = area;
    if (current === null) return;
    const measure = (): void =>
      setOver(showEdges(current) || current.scrollHeight > current.clientHeight + 1);
    // Reports the sizes at once, too.
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, [area]);
  return (
    <div
      ref={area}
      className={classes.scroller}
      data-filling={isFilling || undefined}
      aria-busy={isBusy}
      onScroll={({ currentTarget }) => showEdges(currentTarget)}
      {...(isOver && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      {children}
    </div>
  );
}

/** Marks the edges behind which there is more. Positions are fractions of a pixel. @returns whether it scrolls sideways */
function showEdges(area: HTMLElement): boolean {
  const hidden = area.scrollWidth - area.clientWidth;
  const before = Math.abs(area.scrollLeft); // negative from right to left
  area.toggleAttribute('data-more-before', before > 1);
  area.toggleAttribute('data-more-after', hidden - before > 1);
  area.toggleAttribute('data-more-below', area.scrollHeight - area.clientHeight - area.scrollTop > 1);
  return hidden > 1;
}
