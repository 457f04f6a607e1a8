import { createContext, useContext } from 'react';
import { type Preferences, usePreferences } from './preferences.ts';
import { t } from './text.ts';

export type Zone = Preferences['zone'];

/** Time zone of the times in a part of the page; null for the zone that the reader prefers. */
export const ShownZone = createContext<Zone | null>(null);

/** Returns the time zone in which this part of the page shows times. */
export function useZone(): Zone {
  const { zone } = usePreferences();
  return useContext(ShownZone) ?? zone;
}

/** @returns the name of the reader's own time, such as "Berlin time"; null if it is UTC */
export function ownTime(): string | null {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'].includes(own)) return null;
  return t('{city} time', { city: own.split('/').at(-1)?.replaceAll('_', ' ') ?? own });
}
