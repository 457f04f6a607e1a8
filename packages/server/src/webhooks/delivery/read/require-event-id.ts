import type { EventId } from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';

/**
 * Rejects text that can't be an event id.
 * @throws Refusal NotFound
 */
export function requireEventId(publisherId: string, eventId: EventId): void {
  if (!isRowId(eventId)) throw noSuchEvent(publisherId, eventId);
}

export const noSuchEvent = (publisherId: string, eventId: EventId): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no event ${eventId}. Old events are purged.`);
