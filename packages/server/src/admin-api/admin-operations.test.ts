import fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { adminOperations } from './admin-operations.ts';
import { minor, nullable, time } from './schemas.ts';

const tier = Type.Object({ tierId: Type.String(), note: Type.Optional(Type.String()) });
const found = (): { tierId: string } | null => null;

test('an operation of the admin API does not compile if it may return another response', () => {
  const { operation } = adminOperations(fastify() as unknown as App, 'Shares');
  const declared = { may: 'public', summary: 'Get a tier', answer: tier } as const;
  // @ts-expect-error null where the schema has an object
  operation(['get', '/tiers/1', 'nullTier'], declared, () => found());
  // @ts-expect-error no response at all
  operation(['get', '/tiers/2', 'noTier'], declared, () => undefined);
  // @ts-expect-error a field of another type
  operation(['get', '/tiers/3', 'wrongTier'], declared, () => ({ tierId: 3 }));
  // @ts-expect-error a required field is absent
  operation(['get', '/tiers/4', 'emptyTier'], declared, () => ({ note: 'none' }));
  operation(['get', '/tiers/5', 'tier'], declared, () => ({ tierId: '5' }));
  const optional = { ...declared, answer: nullable(tier) };
  operation(['get', '/tiers/6', 'optionalTier'], optional, () => found());
});

test("an operation of the publisher's API does not compile if it may return another response", () => {
  const app = fastify() as unknown as App;
  const declared = {
    config: { key: 'secret' },
    summary: 'Get a tier',
    tags: ['Tiers'],
    answer: tier,
    errors: {},
  } as const;
  const place = { ...declared, tags: [...declared.tags] };
  // @ts-expect-error null where the schema has an object
  operation(app, ['get', '/v1/tiers/1', 'nullTier'], place, async () => found());
  // @ts-expect-error a Date, which is only allowed where the schema is a time
  operation(app, ['get', '/v1/tiers/2', 'datedTier'], place, async () => ({ tierId: new Date() }));
  // @ts-expect-error undefined in an optional field, because JSON omits it
  operation(app, ['get', '/v1/tiers/3', 'undefinedTier'], place, async () => ({
    tierId: '3',
    note: undefined,
  }));
  operation(app, ['get', '/v1/tiers/4', 'groupedTier'], place, async (request) => {
    // @ts-expect-error the group on a route whose config declares no group
    return { tierId: request.group.groupId };
  });
  operation(app, ['get', '/v1/tiers/5', 'tier'], place, async () => ({ tierId: '5' }));
});

test('times and amounts of a response are sent as strings', async () => {
  const app = fastify();
  app.setSerializerCompiler(() => JSON.stringify);
  const { operation } = adminOperations(app as unknown as App, 'Payouts');
  operation(
    ['get', '/payout', 'payout'],
    {
      may: 'public',
      summary: 'Get a payout',
      answer: Type.Object({ at: time('Time of creation.'), totalMinor: minor('Sum.') }),
    },
    () => ({ at: new Date('2026-05-01T00:00:00Z'), totalMinor: 12_345_678_901_234_567_890n }),
  );
  const response = await app.inject({ url: '/payout' });
  expect(response.json()).toEqual({
    at: '2026-05-01T00:00:00.000Z',
    totalMinor: '12345678901234567890',
  });
});
