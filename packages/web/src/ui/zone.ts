import { createContext, useContext } from 'react';
import { type Preferences, usePreferences } from './preferences.ts';

export type Zone = Preferences['zone'];

/** Time zone of the times in a part of the page; null for the zone that the reader prefers. */
export const ShownZone = createContext<Zone | null>(null);

/** Returns the time zone in which this part of the page shows times. */
export function useZone(): Zone {
  const { zone } = usePreferences();
  return useContext(ShownZone) ?? zone;
}

/** @returns the name of the reader's own time zone; null if it is UTC */
export function ownZone(): string | null {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'].includes(own) ? null : own.replaceAll('_', ' ');
}
