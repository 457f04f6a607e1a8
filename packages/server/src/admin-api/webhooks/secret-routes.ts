import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toEndpointId } from '../../platform/ids.ts';
import { finishRotation } from '../../webhooks/endpoints/finish-rotation.ts';
import { rotateSecret } from '../../webhooks/endpoints/rotate-secret.ts';
import { rotationMs } from '../../webhooks/endpoints/secrets.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors } from '../schemas.ts';
import { readEndpoint } from './read-endpoints.ts';
import { endpoint, endpointPath, newSecret } from './schemas.ts';

/** Registers the rotation of a secret: a new one is added, both sign for a while, and the old one is removed. */
export function secretRoutes(app: App, { database: { db }, sealer, clock }: AdminService): void {
  const tags = ['Webhooks'];
  const root = '/publishers/:publisherId/endpoints/:endpointId/secrets';

  app.post(
    root,
    {
      config: { staff: 'webhooks', fresh: true },
      schema: {
        operationId: 'addSecret',
        summary: 'Add a new secret, which is shown once; both secrets sign from then on',
        tags,
        params: endpointPath,
        response: { 200: newSecret, ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId }, actor }, reply) => {
      const now = clock.now();
      const key = { publisherId, endpointId: toEndpointId(endpointId) };
      const secret = await rotateSecret({ db, sealer }, actor, key, now);
      reply.header('cache-control', 'no-store');
      return sendJson(reply, { secret, endsAt: new Date(now.getTime() + rotationMs) });
    },
  );

  app.delete(
    `${root}/old`,
    {
      config: { staff: 'webhooks', fresh: true },
      schema: {
        operationId: 'removeOldSecret',
        summary: 'Remove the old secret, which stops signing within seconds',
        tags,
        params: endpointPath,
        response: { 200: endpoint, ...adminErrors },
      },
    },
    async ({ params: { publisherId, endpointId }, actor }, reply) => {
      const key = { publisherId, endpointId: toEndpointId(endpointId) };
      await finishRotation(db, actor, key, clock.now());
      return sendJson(reply, await readEndpoint(db, key, clock.now()));
    },
  );
}
