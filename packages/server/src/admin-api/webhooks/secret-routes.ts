import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toEndpointId } from '../../platform/ids.ts';
import { finishRotation } from '../../webhooks/endpoints/finish-rotation.ts';
import { rotateSecret } from '../../webhooks/endpoints/rotate-secret.ts';
import { rotationMs } from '../../webhooks/endpoints/secrets.ts';
import { adminOperations } from '../admin-operations.ts';
import { readEndpoint } from './read-endpoints.ts';
import { endpoint, endpointPath, newSecret } from './schemas.ts';

/**
 * Registers the routes for rotating a secret: add a new secret, let both secrets sign for a while, and remove
 * the old secret.
 */
export function secretRoutes(app: App, { database: { db }, sealer, clock }: Service): void {
  const { operation } = adminOperations(app, 'Webhooks');

  operation(
    ['post', '/publishers/:publisherId/endpoints/:endpointId/secrets', 'addSecret'],
    {
      may: 'webhooks',
      fresh: true,
      summary: 'Add a new secret, which is shown once; the old one stays in use too',
      path: endpointPath.properties,
      answer: newSecret,
    },
    async ({ params: { publisherId, endpointId }, actor }, reply) => {
      const now = clock.now();
      const key = { publisherId, endpointId: toEndpointId(endpointId) };
      const secret = await rotateSecret({ db, sealer }, actor, key, now);
      reply.header('cache-control', 'no-store');
      return { secret, endsAt: new Date(now.getTime() + rotationMs) };
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/endpoints/:endpointId/secrets/old', 'removeOldSecret'],
    {
      may: 'webhooks',
      fresh: true,
      summary: 'Remove the old secret, which stops signing within seconds',
      path: endpointPath.properties,
      answer: endpoint,
    },
    async ({ params: { publisherId, endpointId }, actor }) => {
      const key = { publisherId, endpointId: toEndpointId(endpointId) };
      await finishRotation(db, actor, key, clock.now());
      return await readEndpoint(db, key, clock.now());
    },
  );
}
