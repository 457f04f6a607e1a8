import type { EventId } from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** @throws Refusal NotFound for what no event's id can be */
export function requireEventId(publisherId: string, eventId: EventId): void {
  if (!isRowId(eventId)) throw noSuchEvent(publisherId, eventId);
}

export const noSuchEvent = (publisherId: string, eventId: EventId): Refusal =>
  new Refusal(
    'NotFound',
    `Publisher ${publisherId} has no event ${eventId}; events are purged after a while.`,
  );
