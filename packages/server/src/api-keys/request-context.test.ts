import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ConfirmedCache } from '../platform/confirmed-cache.ts';
import type { App } from '../platform/http/app-type.ts';
import type { Program } from '../publishers/programs.ts';
import { provideContext } from './request-context.ts';

test('a handler can use only the properties that its route requires; others do not compile, and throw', async () => {
  const app = Fastify() as unknown as App;
  const load = async (): Promise<Program | null> => null;
  provideContext(app, new ConfirmedCache({ load, confirm: async () => new Set<string>(), maxEntries: 1 }));
  app.decorateRequest('keyPrincipal', null);
  app.get('/nothing', { config: {} }, ({ principal, group, actor }) => {
    // @ts-expect-error: the route doesn't require a key
    const publisherId: string = principal.publisherId;
    // @ts-expect-error: the route has no group
    return [publisherId, group.groupId, actor];
  });
  app.get('/key', { config: { key: 'secret' } }, ({ principal, actor, group }) => {
    const values: string[] = [principal.publisherId, actor.id];
    // @ts-expect-error: the route has no group
    return [values, group.groupId];
  });
  app.get('/group', { config: { key: 'public', group: 'as read' } }, ({ principal, group, actor }) => {
    const values: string[] = [principal.publisherId, group.groupId, actor.name];
    return values;
  });
  const { statusCode, body } = await app.inject('/nothing');
  expect([statusCode, body]).toEqual([500, expect.stringContaining('the route requires no key')]);
  await app.close();
});
