import { Option } from 'commander';
import { OperatorError } from '../../platform/operator-error.ts';
import { type EventKind, eventKinds } from '../../webhooks/event-kinds.ts';

export const eventsOption = (description: string): Option =>
  new Option('--events <list>', `${description}, separated by commas, or all (docs/webhooks.md)`);

/** Parses --events. @param text `all`, or kinds separated by commas, with or without the part before the slash */
export function readEventKinds(text: string): readonly EventKind[] {
  if (text === 'all') return eventKinds;
  const found = text.split(',').map((part) => {
    const wanted = part.trim().toLowerCase();
    const kind = eventKinds.find(
      (each) => each.toLowerCase() === wanted || each.toLowerCase().endsWith(`/${wanted}`),
    );
    if (kind === undefined)
      throw new OperatorError(`Unknown event ${part.trim()}. Use all, or any of: ${eventKinds.join(', ')}.`);
    return kind;
  });
  return [...new Set(found)];
}
