import { useSyncExternalStore } from 'react';

/** What somebody chose for themselves, in this browser. */
export interface Preferences {
  /** Which zone times are shown in; the other one is in the tooltip. */
  zone: 'viewer' | 'utc';
  /** Keys without Ctrl or ⌘ do something (WCAG 2.1.4). */
  singleKeys: boolean;
  /** The language; null for the browser's. */
  locale: string | null;
}

const key = 'attribution-preferences';
const usual: Preferences = { zone: 'viewer', singleKeys: true, locale: null };
const listeners = new Set<() => void>();
let current = read();

export const preferences = (): Preferences => current;

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
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
    return { ...usual, ...JSON.parse(localStorage.getItem(key) ?? '{}') };
  } catch {
    return usual;
  }
}
