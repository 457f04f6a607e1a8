import { createHash } from 'node:crypto';
import { settingsOf } from '../connector-record.ts';
import type { Movement, ReadEvent } from '../movement.ts';
import { Unreadable } from '../provider.ts';
import { providerOf } from '../providers/all-providers.ts';
import { toReading } from './reading.ts';

/** Event that a body contains, or the reason it couldn't be read. */
export type BodyEvent = ReadEvent | UnreadableEvent;

export interface UnreadableEvent {
  key: string;
  type: string;
  isTest: boolean;
  movement: null;
  problem: string;
}

/** Maximum number of events in a body. */
const maxEvents = 100;

/** Reads the events of a body with the connector's settings. A body that can't be read is one event. */
export function readBody(
  connector: { provider: string; settings: string },
  body: Buffer,
): readonly BodyEvent[] {
  const provider = providerOf(connector.provider);
  const settings = settingsOf(connector);
  try {
    const events = provider.read(parseBody(body), settings);
    if (events.length === 0) throw new Unreadable('The body contains no event.');
    if (events.length > maxEvents) throw new Unreadable(`The body contains more than ${maxEvents} events.`);
    return events;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const key = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    return [{ key, type: '', isTest: false, movement: null, problem: error.message }];
  }
}

/** @throws Unreadable */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Unreadable('The body is not JSON.');
  }
}

/** Returns the columns for an event. */
export function fieldsOf(event: BodyEvent) {
  const { movement, isTest } = event;
  return {
    type: event.type.slice(0, 200),
    isTest,
    kind: movement === null ? 'Unreadable' : movement.kind,
    orderId: movement?.orderId ?? null,
    subjectId: movement === null ? null : subjectOf(movement),
    playerId: movement?.kind === 'Sale' ? movement.playerId : null,
    reading: movement === null ? JSON.stringify({ problem: problemOf(event) }) : toReading(movement),
  };
}

const problemOf = (event: BodyEvent): string => ('problem' in event ? event.problem : '');

const subjectOf = (movement: Movement): string | null =>
  'subjectId' in movement ? movement.subjectId : null;
