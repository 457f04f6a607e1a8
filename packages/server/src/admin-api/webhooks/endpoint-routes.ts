import { type Static, Type } from 'typebox';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toEndpointId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { changeEndpoint } from '../../webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '../../webhooks/endpoints/create-endpoint.ts';
import { removeEndpoint } from '../../webhooks/endpoints/remove-endpoint.ts';
import { sendTest } from '../../webhooks/endpoints/send-test.ts';
import { switchEndpoint } from '../../webhooks/endpoints/switch-endpoint.ts';
import { defaultEventKinds, type EventKind, eventKinds } from '../../webhooks/event-kinds.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, publisherPath } from '../schemas.ts';
import { readEndpoint, readEndpoints } from './read-endpoints.ts';
import {
  changedEndpoint,
  createdEndpoint,
  endpoint,
  endpointChanges,
  endpointList,
  endpointPath,
  newEndpoint,
  testResult,
} from './schemas.ts';

/** Limit of test events for each publisher. A test holds its request for up to 15 seconds. */
const testsPerMinute = 10;

/** Registers the routes of webhook endpoints. */
export function endpointRoutes(app: App, service: AdminService): void {
  const { database, sealer, clock, sender, config } = service;
  const { db } = database;
  const { webhookAllowPrivateTargets: allowPrivateTargets } = config;
  const tests = new TokenBuckets(testsPerMinute / 60, testsPerMinute);
  const tags = ['Webhooks'];
  const root = '/publishers/:publisherId/endpoints';

  app.get(
    root,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'listEndpoints',
        summary: 'List webhook endpoints with their health',
        tags,
        params: publisherPath,
        response: { 200: endpointList, ...adminErrors },
      },
    },
    async ({ params: { publisherId } }, reply) =>
      sendJson(reply, { rows: await readEndpoints(db, publisherId, clock.now()), kinds: eventKinds }),
  );

  app.get(
    `${root}/:endpointId`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'getEndpoint',
        summary: 'Get a webhook endpoint',
        tags,
        params: endpointPath,
        response: { 200: endpoint, ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId } }, reply) =>
      sendJson(
        reply,
        await readEndpoint(db, { publisherId, endpointId: toEndpointId(endpointId) }, clock.now()),
      ),
  );

  app.post(
    root,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'createEndpoint',
        summary: 'Add a webhook endpoint; its secret is shown once',
        tags,
        params: publisherPath,
        body: newEndpoint,
        response: { 200: createdEndpoint, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      const { endpointId, url, secret, warning } = await createEndpoint(
        { db, sealer, allowPrivateTargets },
        actor,
        {
          publisherId,
          url: body.url,
          eventKinds: asKinds(body.events) ?? defaultEventKinds,
        },
      );
      return sendJson(reply.header('cache-control', 'no-store'), { endpointId, url, secret, warning });
    },
  );

  app.patch(
    `${root}/:endpointId`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'changeEndpoint',
        summary: 'Change the URL or events of an endpoint, or enable or disable it',
        tags,
        params: endpointPath,
        body: endpointChanges,
        response: { 200: changedEndpoint, ...adminErrors },
      },
    },
    async ({ params, body, actor }, reply) => {
      const key = { publisherId: params.publisherId, endpointId: toEndpointId(params.endpointId) };
      const { warning } = await change(key, body, actor);
      return sendJson(reply, { endpoint: await readEndpoint(db, key, clock.now()), warning });
    },
  );

  app.delete(
    `${root}/:endpointId`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'removeEndpoint',
        summary: 'Remove a webhook endpoint',
        tags,
        params: endpointPath,
        response: { 200: Type.Object({ removed: Type.Literal(true) }), ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId }, actor }, reply) => {
      await removeEndpoint(db, actor, { publisherId, endpointId: toEndpointId(endpointId) });
      return sendJson(reply, { removed: true });
    },
  );

  app.post(
    `${root}/:endpointId/tests`,
    {
      config: { staff: 'webhooks' },
      schema: {
        operationId: 'testEndpoint',
        summary: 'Send a test event now and return the answer',
        tags,
        params: endpointPath,
        response: { 200: testResult, ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId }, actor }, reply) => {
      if (!tests.take(publisherId, clock.now().getTime()))
        throw new Refusal('RateLimited', 'You can send ten tests a minute. Try again in a few seconds.', {
          retryAfterSeconds: 6,
        });
      const sent = await sendTest({ db, sender, sealer, clock }, actor, {
        publisherId,
        endpointId: toEndpointId(endpointId),
      });
      const { eventId, url, statusCode, error, durationMs, answer } = sent;
      return sendJson(reply, {
        eventId,
        url,
        isDelivered: statusCode === 200,
        statusCode,
        error,
        durationMs,
        answer: answer.toString('utf8'),
      });
    },
  );

  async function change(
    key: Parameters<typeof readEndpoint>[1],
    { url, events, isEnabled, version }: Static<typeof endpointChanges>,
    actor: Parameters<typeof changeEndpoint>[1],
  ): Promise<{ warning: string | null }> {
    if (url === undefined && events === undefined && isEnabled === undefined)
      throw new Refusal('InvalidInput', '`url`, `events` or `isEnabled` is required.');
    const changed =
      url === undefined && events === undefined
        ? { warning: null }
        : await changeEndpoint({ db, allowPrivateTargets }, actor, {
            ...key,
            url,
            eventKinds: asKinds(events),
            version,
          });
    if (isEnabled !== undefined) await switchEndpoint(db, actor, { ...key, isEnabled });
    return changed;
  }
}

/** Types event kinds that the schema has validated. */
const asKinds = (events: readonly string[] | undefined): readonly EventKind[] | undefined =>
  events as readonly EventKind[] | undefined;
