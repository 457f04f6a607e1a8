import { type Static, Type } from 'typebox';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { isRowId, toEndpointId, toEventId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { DeliveryStatus } from '../../webhooks/delivery/read/deliveries-of.ts';
import { listDeliveries } from '../../webhooks/delivery/read/list-deliveries.ts';
import {
  countReplay,
  type Replay,
  replayPart,
  requireReplayable,
} from '../../webhooks/delivery/read/replay-deliveries.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, pageQuery, publisherPath } from '../schemas.ts';
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
  eventId: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(Type.String({ enum: [...states] })),
});

/** Registers the routes that list, show and replay deliveries. */
export function deliveryRoutes(app: App, { database: { db }, clock }: AdminService, pages: Pages): void {
  const tags = ['Webhooks'];
  const root = '/publishers/:publisherId';

  app.get(
    `${root}/deliveries`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List deliveries, newest first',
        tags,
        params: publisherPath,
        querystring: deliveryQuery,
        response: { 200: deliveryPage, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const { endpointId, eventId, state, cursor = null, limit = 50 } = query;
      const page = await listDeliveries(
        db,
        pages,
        {
          publisherId,
          ...(endpointId !== undefined && { endpointId: toEndpointId(endpointId) }),
          ...(eventId !== undefined && { eventId: toEventId(eventId) }),
          status: state as DeliveryStatus | undefined,
        },
        { cursor, size: limit },
      );
      return sendJson(reply, { ...page, rows: page.rows.map(toDelivery) });
    },
  );

  app.get(
    `${root}/endpoints/:endpointId/deliveries/:eventId`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'getDelivery',
        summary: 'Get a delivery with its request and attempts',
        tags,
        params: deliveryPath,
        response: { 200: deliveryDetail, ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId, eventId } }, reply) => {
      const key = { publisherId, endpointId: toEndpointId(endpointId), eventId: toEventId(eventId) };
      return sendJson(reply, await showDelivery(db, pages, key, clock.now()));
    },
  );

  app.get(
    `${root}/replays/count`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'countReplay',
        summary: 'Count the deliveries of a replay',
        tags,
        params: publisherPath,
        querystring: replayCountQuery,
        response: { 200: replayCount, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) =>
      sendJson(reply, await countReplay(db, toReplay(publisherId, query))),
  );

  app.post(
    `${root}/replays`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'replayDeliveries',
        summary: 'Replay one event, or events since a time, 10,000 at a time',
        tags,
        params: publisherPath,
        body: replayBody,
        response: { 200: replayed, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      const replay = toReplay(publisherId, body);
      const { after } = body;
      if (after !== undefined && !isRowId(after))
        throw new Refusal('InvalidInput', '`after` must be the `next` of a previous answer.', {
          path: ['after'],
        });
      await requireReplayable(db, replay);
      return sendJson(
        reply,
        await replayPart(db, actor, replay, after === undefined ? null : toEventId(after)),
      );
    },
  );
}

/**
 * Converts a query or body to a replay.
 * @throws Refusal InvalidInput unless it has either `eventId` or `since`
 */
function toReplay(
  publisherId: string,
  { eventId, since, what, endpointId }: Omit<Static<typeof replayBody>, 'after'>,
): Replay {
  if ((eventId === undefined) === (since === undefined))
    throw new Refusal('InvalidInput', 'Either `eventId` or `since` is required, but not both.');
  const target = { publisherId, ...(endpointId !== undefined && { endpointId: toEndpointId(endpointId) }) };
  if (eventId !== undefined) return { ...target, eventId: toEventId(eventId) };
  return {
    ...target,
    since: readTimestamp(since ?? ''),
    all: what === 'all',
    failedOnly: what === 'failed',
  };
}
