import { useEffect, useRef } from 'react';
import type { Preferences } from './preferences.ts';

type Zone = Preferences['zone'];

/** A moment as a field for date and time holds it: `2026-07-01T00:00`, in the chosen zone. */
export function toField(ms: number, zone: Zone): string {
  const date = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, date.getUTCSeconds() === 0 && date.getUTCMilliseconds() === 0 ? 16 : 23);
}

/** @returns milliseconds; null for what is no moment */
export function fromField(text: string, zone: Zone): number | null {
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return text === '' || Number.isNaN(ms) ? null : ms;
}

/** The same moment in a field of the other zone. */
function moveField(text: string, from: Zone, to: Zone): string {
  const ms = fromField(text, from);
  return ms === null ? text : toField(ms, to);
}

interface Window {
  startsAt: string;
  endsAt: string;
}

/** Keeps the moments of a draft what they are when the reader chooses the other zone. */
export function useMovedWindow<Draft extends Window>(
  zone: Zone,
  change: (changed: (draft: Draft) => Draft) => void,
): void {
  const typedIn = useRef(zone);
  useEffect(() => {
    const from = typedIn.current;
    typedIn.current = zone;
    if (from === zone) return;
    change((draft) => ({
      ...draft,
      startsAt: moveField(draft.startsAt, from, zone),
      endsAt: moveField(draft.endsAt, from, zone),
    }));
  }, [zone, change]);
}
