import { type Static, Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { isRowId, toEndpointId, toEventId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { DeliveryStatus } from '../../webhooks/delivery/read/deliveries-of.ts';
import { listDeliveries } from '../../webhooks/delivery/read/list-deliveries.ts';
import {
  countReplay,
  maxFollowed,
  replayPart,
  requireReplayable,
} from '../../webhooks/delivery/read/replay-deliveries.ts';
import type { Replay } from '../../webhooks/delivery/read/select-replayed.ts';
import type { EventKind } from '../../webhooks/event-kinds.ts';
import { adminOperations } from '../admin-operations.ts';
import { pageQuery } from '../schemas.ts';
import { withSubjects } from './delivery-subjects.ts';
import {
  deliveryDetail,
  deliveryPage,
  deliveryPath,
  replayBody,
  replayCount,
  replayCountQuery,
  replayed,
  states,
} from './schemas.ts';
import { showDelivery, toDelivery } from './show-delivery.ts';

const deliveryQuery = Type.Object({
  ...pageQuery,
  endpointId: Type.Optional(Type.String({ maxLength: 64 })),
  eventId: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: maxFollowed,
      description:
        'Ids of events, as a repeated parameter or separated by commas. The default is all events.',
    }),
  ),
  state: Type.Optional(Type.String({ enum: [...states] })),
});

export function deliveryRoutes(app: App, { database: { db }, clock }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Webhooks');

  operation(
    ['get', '/publishers/:publisherId/deliveries', 'listDeliveries'],
    {
      may: 'webhooks',
      summary: 'List deliveries, newest first',
      query: deliveryQuery.properties,
      answer: deliveryPage,
    },
    async ({ params: { publisherId }, query }) => {
      const { endpointId, eventId, state, cursor = null, limit = 50 } = query;
      const page = await listDeliveries(
        db,
        pages,
        {
          publisherId,
          ...(endpointId !== undefined && { endpointId: toEndpointId(endpointId) }),
          eventIds: eventId?.map(toEventId),
          status: state as DeliveryStatus | undefined,
        },
        { cursor, size: limit },
      );
      return { ...page, rows: await withSubjects(db, publisherId, page.rows.map(toDelivery)) };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/endpoints/:endpointId/deliveries/:eventId', 'getDelivery'],
    {
      may: 'webhooks',
      summary: 'Get a delivery with its request and attempts',
      path: deliveryPath.properties,
      answer: deliveryDetail,
    },
    async ({ params: { publisherId, endpointId, eventId } }) => {
      const key = { publisherId, endpointId: toEndpointId(endpointId), eventId: toEventId(eventId) };
      return await showDelivery(db, pages, key, clock.now());
    },
  );

  operation(
    ['get', '/publishers/:publisherId/replays/count', 'countReplay'],
    {
      may: 'webhooks',
      summary: 'Count the deliveries that a replay would send',
      query: replayCountQuery.properties,
      answer: replayCount,
    },
    ({ params: { publisherId }, query }) => countReplay(db, toReplay(publisherId, query)),
  );

  operation(
    ['post', '/publishers/:publisherId/replays', 'replayDeliveries'],
    {
      may: 'webhooks',
      summary: 'Replay one event, or up to 10,000 events since a given time',
      body: replayBody,
      answer: replayed,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const replay = toReplay(publisherId, body);
      const { after } = body;
      if (after !== undefined && !isRowId(after))
        throw new Refusal('InvalidInput', '`after` must be `next` from a previous response.', {
          path: ['after'],
        });
      await requireReplayable(db, replay);
      return await replayPart(db, actor, replay, after === undefined ? null : toEventId(after));
    },
  );
}

/**
 * Converts a query or body to a replay.
 * @throws Refusal InvalidInput unless it has either `eventId` or `since`, or if the range is empty
 */
function toReplay(
  publisherId: string,
  { eventId, since, until, kind, what, endpointId }: Omit<Static<typeof replayBody>, 'after'>,
): Replay {
  if ((eventId === undefined) === (since === undefined))
    throw new Refusal('InvalidInput', 'Either `eventId` or `since` is required, but not both.');
  const target = { publisherId, ...(endpointId !== undefined && { endpointId: toEndpointId(endpointId) }) };
  if (eventId !== undefined) {
    if (until !== undefined || kind !== undefined)
      throw new Refusal('InvalidInput', '`until` and `kind` require `since`.');
    return { ...target, eventId: toEventId(eventId) };
  }
  const [from, end] = [readTimestamp(since ?? ''), until === undefined ? undefined : readTimestamp(until)];
  if (end !== undefined && end <= from)
    throw new Refusal('InvalidInput', '`until` must be after `since`.', { path: ['until'] });
  return {
    ...target,
    since: from,
    until: end,
    kind: kind as EventKind | undefined,
    all: what === 'all',
    failedOnly: what === 'failed',
  };
}
