import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls a row of tabs to the chosen one, and not the page, as `scrollIntoView` would. When the row becomes narrower, such
 * as when a phone is turned, it is scrolled again.
 */
export function useTabInView(chosen: string | null): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen tab is found by its attribute
  useEffect(() => {
    if (row.current === null) return;
    // Reports the size at once, too.
    const observer = new ResizeObserver(() => row.current && show(row.current));
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [chosen]);
  return row;
}

function show(row: HTMLElement): void {
  // Only then, tabs fade at an edge (theme/base.css). A scroll timeline keeps its last state when nothing can be scrolled anymore.
  row.toggleAttribute('data-overflowing', row.scrollWidth > row.clientWidth);
  const tab = row.querySelector('[data-active], [aria-current]')?.getBoundingClientRect();
  if (tab === undefined) return;
  const { left, width } = row.getBoundingClientRect();
  row.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
}
