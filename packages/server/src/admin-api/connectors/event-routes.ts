import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { readConnector } from '../../connectors/connector-record.ts';
import { eventStatuses } from '../../connectors/events/event-record.ts';
import { listEvents } from '../../connectors/events/list-events.ts';
import { listMissingCodes } from '../../connectors/events/list-missing-codes.ts';
import { readEvent } from '../../connectors/events/read-event.ts';
import { replayEvents } from '../../connectors/events/replay-events.ts';
import { sendTest } from '../../connectors/send-test.ts';
import { workEvents } from '../../connectors/work/work-events.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { adminOperations } from '../admin-operations.ts';
import { oneOf, pageQuery } from '../schemas.ts';
import {
  connectorPath,
  eventDetail,
  eventPage,
  eventPath,
  missingCodes,
  newTest,
  replayed,
  testResult,
} from './schemas.ts';

/** Tests per publisher and minute. Each records a purchase. */
const testsPerMinute = 30;

const events = '/publishers/:publisherId/connectors/:connectorId/events';

export function eventRoutes(app: App, service: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Connectors');
  const { database, sealer, clock, programs } = service;
  const { db } = database;
  const tests = new TokenBuckets(testsPerMinute / 60, testsPerMinute);

  operation(
    ['get', events, 'listConnectorEvents'],
    {
      may: 'webhooks',
      summary: "List a connector's events, newest first",
      path: connectorPath,
      query: {
        status: Type.Optional(oneOf(eventStatuses)),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
        orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
        ...pageQuery,
      },
      answer: eventPage,
    },
    async ({ params: key, query: { cursor = null, limit: size = 50, ...filter } }) => {
      await readConnector(db, key);
      return listEvents(db, pages, { ...key, ...filter }, { cursor, size });
    },
  );

  operation(
    ['get', `${events}/:eventId`, 'getConnectorEvent'],
    {
      may: 'webhooks',
      summary: 'Get an event: what arrived, what was read, and what became of it',
      path: eventPath,
      answer: eventDetail,
    },
    ({ params }) => readEvent({ db, sealer }, params),
  );

  operation(
    ['get', '/publishers/:publisherId/connectors/:connectorId/missing-codes', 'listMissingCodes'],
    {
      may: 'webhooks',
      summary: 'List the codes of orders that credited no creator',
      description:
        'Orders of the last 30 days, for at most 50 codes. They are recorded within a minute after their code is approved.',
      path: connectorPath,
      answer: missingCodes,
    },
    async ({ params }) => ({
      rows: await listMissingCodes({ db, programs, now: clock.now() }, await readConnector(db, params)),
    }),
  );

  operation(
    ['post', `${events}/:eventId/replay`, 'replayConnectorEvent'],
    {
      may: 'webhooks',
      summary: 'Read an event again with the present settings, and work on it again',
      path: eventPath,
      answer: replayed,
    },
    ({ params, actor }) => replayEvents({ db, sealer, now: clock.now() }, actor, params),
  );

  operation(
    ['post', `${events}/replay`, 'replayFailedConnectorEvents'],
    {
      may: 'webhooks',
      summary: 'Replay the failed events of a connector',
      path: connectorPath,
      answer: replayed,
    },
    ({ params, actor }) =>
      replayEvents({ db, sealer, now: clock.now() }, actor, { ...params, eventId: null }),
  );

  operation(
    ['post', '/publishers/:publisherId/connectors/:connectorId/tests', 'testConnector'],
    {
      may: 'webhooks',
      summary: 'Send a signed test event the whole way',
      description: 'At a live publisher, its purchase has the status Test, which earns nothing.',
      path: connectorPath,
      body: newTest,
      answer: testResult,
    },
    async ({ params: key, body: { fixture = 'order_paid', code, orderId = null }, actor }) => {
      if (!tests.take(key.publisherId, clock.now().getTime()))
        throw new Refusal('RateLimited', 'You can send 30 tests a minute. Try again in a few seconds.', {
          retryAfterSeconds: 2,
        });
      const sent = await sendTest({ db, sealer, now: clock.now() }, actor, {
        ...key,
        fixture,
        code,
        orderId,
      });
      await workEvents(service.eventDeps(db), key.publisherId, [sent.eventId]);
      const event = await readEvent({ db, sealer }, { ...key, eventId: sent.eventId });
      return { orderId: sent.orderId, event };
    },
  );
}
