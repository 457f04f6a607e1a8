import { type Static, Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sampleEvent } from '../../described-events.ts';
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
import { adminOperations } from '../admin-operations.ts';
import { readEndpoint, readEndpoints } from './read-endpoints.ts';
import {
  changedEndpoint,
  createdEndpoint,
  endpoint,
  endpointChanges,
  endpointList,
  endpointPath,
  newEndpoint,
  testQuery,
  testResult,
} from './schemas.ts';

/** Maximum number of test events per publisher. A test keeps its request open for up to 15 seconds. */
const testsPerMinute = 10;

export function endpointRoutes(app: App, service: Service): void {
  const { operation } = adminOperations(app, 'Webhooks');
  const { database, sealer, clock, sender, config } = service;
  const { db } = database;
  const { webhookAllowPrivateTargets: allowPrivateTargets } = config;
  const tests = new TokenBuckets(testsPerMinute / 60, testsPerMinute);

  operation(
    ['get', '/publishers/:publisherId/endpoints', 'listEndpoints'],
    { may: 'webhooks', summary: 'List webhook endpoints with their health', answer: endpointList },
    async ({ params: { publisherId } }) => ({
      rows: await readEndpoints(db, publisherId, clock.now()),
      kinds: eventKinds,
    }),
  );

  operation(
    ['get', '/publishers/:publisherId/endpoints/:endpointId', 'getEndpoint'],
    { may: 'webhooks', summary: 'Get a webhook endpoint', path: endpointPath.properties, answer: endpoint },
    ({ params: { publisherId, endpointId } }) =>
      readEndpoint(db, { publisherId, endpointId: toEndpointId(endpointId) }, clock.now()),
  );

  operation(
    ['post', '/publishers/:publisherId/endpoints', 'createEndpoint'],
    {
      may: 'webhooks',
      summary: 'Add a webhook endpoint; its secret is shown once',
      body: newEndpoint,
      answer: createdEndpoint,
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
      reply.header('cache-control', 'no-store');
      return { endpointId, url, secret, warning };
    },
  );

  operation(
    ['patch', '/publishers/:publisherId/endpoints/:endpointId', 'changeEndpoint'],
    {
      may: 'webhooks',
      summary: 'Change the URL or events of an endpoint, or enable or disable it',
      path: endpointPath.properties,
      body: endpointChanges,
      answer: changedEndpoint,
    },
    async ({ params, body, actor }) => {
      const key = { publisherId: params.publisherId, endpointId: toEndpointId(params.endpointId) };
      const { warning } = await change(key, body, actor);
      return { endpoint: await readEndpoint(db, key, clock.now()), warning };
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/endpoints/:endpointId', 'removeEndpoint'],
    {
      may: 'webhooks',
      summary: 'Remove a webhook endpoint',
      path: endpointPath.properties,
      answer: Type.Object({ removed: Type.Literal(true) }),
    },
    async ({ params: { publisherId, endpointId }, actor }) => {
      await removeEndpoint(db, actor, { publisherId, endpointId: toEndpointId(endpointId) });
      return { removed: true as const };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/endpoints/:endpointId/tests', 'testEndpoint'],
    {
      may: 'webhooks',
      summary: "Send a test event now and return the endpoint's response",
      path: endpointPath.properties,
      query: testQuery.properties,
      answer: testResult,
    },
    async ({ params: { publisherId, endpointId }, query, actor }) => {
      if (!tests.take(publisherId, clock.now().getTime()))
        throw new Refusal('RateLimited', 'You can send ten tests a minute. Try again in a few seconds.', {
          retryAfterSeconds: 6,
        });
      const key = { publisherId, endpointId: toEndpointId(endpointId) };
      const sent = await sendTest({ db, sender, sealer, clock }, actor, key, sampleEvent(query.kind));
      const { eventId, url, statusCode, error, durationMs, answer } = sent;
      return {
        eventId,
        url,
        isDelivered: statusCode === 200,
        statusCode,
        error,
        durationMs,
        answer: answer.toString('utf8'),
      };
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

/** Narrows the type of event kinds that the schema has validated. */
const asKinds = (events: readonly string[] | undefined): readonly EventKind[] | undefined =>
  events as readonly EventKind[] | undefined;
