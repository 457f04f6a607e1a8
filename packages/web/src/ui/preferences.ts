import { useSyncExternalStore } from 'react';

/** Personal preferences, stored in the browser. */
export interface Preferences {
  /** Time zone of displayed times. The tooltip shows the other zone. */
  zone: 'viewer' | 'utc';
  /** True if shortcuts without Ctrl or ⌘ are on (WCAG 2.1.4). */
  singleKeys: boolean;
  /** Language; null for the browser's language. */
  locale: string | null;
  /** Currency that Overview shows first; null for the one with the most purchases. */
  currency: string | null;
  /** Columns that the person hid, by list. A saved view has its own hidden columns. */
  hiddenColumns: Readonly<Record<string, readonly string[]>>;
}

const key = 'attribution-preferences';
const defaults: Preferences = {
  zone: 'viewer',
  singleKeys: true,
  locale: null,
  currency: null,
  hiddenColumns: {},
};
const listeners = new Set<() => void>();
let current = read();

export const preferences = (): Preferences => current;

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Without storage, preferences last until the page is closed.
  }
  for (const listener of listeners) listener();
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(key) ?? '{}') };
  } catch {
    return defaults;
  }
}
