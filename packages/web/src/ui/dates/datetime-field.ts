import { useEffect, useRef } from 'react';
import type { Preferences } from '../preferences.ts';
import { formatWhen } from '../when.tsx';

type Zone = Preferences['zone'];

/** Formats a time for a field with a date and time, such as `2026-07-01T00:00`, in the chosen zone. */
export function toField(ms: number, zone: Zone): string {
  const date = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, date.getUTCSeconds() === 0 && date.getUTCMilliseconds() === 0 ? 16 : 23);
}

/** @returns milliseconds; null if the text isn't a date and time */
export function fromField(text: string, zone: Zone): number | null {
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return text === '' || Number.isNaN(ms) ? null : ms;
}

/** Returns a field's value for display: as a time, or as typed while the text is invalid. */
export function describeField(text: string, zone: Zone): string {
  const ms = fromField(text, zone);
  return ms === null ? text : formatWhen(new Date(ms).toISOString(), zone);
}

/** Converts a field's text from one time zone to another. */
function moveField(text: string, from: Zone, to: Zone): string {
  const ms = fromField(text, from);
  return ms === null ? text : toField(ms, to);
}

interface Window {
  startsAt: string;
  endsAt: string;
}

/** Keeps a draft's start and end at the same instants when the reader switches the time zone. */
export function useMovedWindow<Draft extends Window>(
  zone: Zone,
  change: (changed: (draft: Draft) => Draft) => void,
): void {
  const lastZone = useRef(zone);
  useEffect(() => {
    const from = lastZone.current;
    lastZone.current = zone;
    if (from === zone) return;
    change((draft) => ({
      ...draft,
      startsAt: moveField(draft.startsAt, from, zone),
      endsAt: moveField(draft.endsAt, from, zone),
    }));
  }, [zone, change]);
}
