import { Option } from 'commander';
import { OperatorError } from '../../platform/operator-error.ts';
import { type EventKind, eventKinds } from '../../webhooks/event-kinds.ts';

export const eventsOption = (what: string): Option =>
  new Option('--events <list>', `${what}, with commas between, or all (docs/webhooks.md)`);

/** @param text kinds with commas between, an event's action alone, or `all` */
export function readEventKinds(text: string): readonly EventKind[] {
  if (text === 'all') return eventKinds;
  const found = text.split(',').map((part) => {
    const wanted = part.trim().toLowerCase();
    const kind = eventKinds.find(
      (each) => each.toLowerCase() === wanted || each.toLowerCase().endsWith(`/${wanted}`),
    );
    if (kind === undefined)
      throw new OperatorError(
        `There is no event ${part.trim()}. There are: ${eventKinds.join(', ')}; or all.`,
      );
    return kind;
  });
  return [...new Set(found)];
}
