import { useSyncExternalStore } from 'react';

const shownMs = 6_000;
let shown: string | null = null;
const listeners = new Set<() => void>();

function show(key: string | null): void {
  shown = key;
  for (const listener of listeners) listener();
}

/** Highlights a row that was just saved. Its table scrolls to it and marks it for a few seconds. */
export function showRow(key: string): void {
  show(key);
  setTimeout(() => {
    if (shown === key) show(null);
  }, shownMs);
}

/** @returns the highlighted row's key; null if no row is highlighted */
export const useShownRow = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
