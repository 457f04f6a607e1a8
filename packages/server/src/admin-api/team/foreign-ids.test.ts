import { expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const { service } = useManagement();

interface Body {
  schema: { $ref?: string; additionalProperties?: boolean };
}

function bodySchemas(): { name: string; schema: Body['schema'] | undefined }[] {
  const document = service().app.adminDocument() as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, Body> } }>>;
    components: { schemas: Record<string, Body['schema']> };
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      if (schema === undefined) return [];
      const model = schema.$ref?.split('/').at(-1);
      return [
        {
          name: `${method} ${path}`,
          schema: model === undefined ? schema : document.components.schemas[model],
        },
      ];
    }),
  );
}

test('every operation rejects unknown properties in its body, such as another publisher or person', async () => {
  const all = bodySchemas();
  expect(all.length).toBeGreaterThan(40);
  const open = all.filter(({ schema }) => schema?.additionalProperties !== false);
  // Mail services choose this body (RFC 8058), and no operation reads it.
  expect(open.map(({ name }) => name)).toEqual(['post /admin/v1/auth/unsubscribe']);
});

test('operations change only the publisher in the path, even if the body names another', async () => {
  const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
  const ours = await signIn(service(), 'owner');
  const foreign = { publisherId: 'aurora', userId: ours.userId };
  const count = async (person: SignedInPerson): Promise<number[]> =>
    Promise.all(
      ['/staff', '/invitations', '/tokens'].map(
        async (path) => (await person.ask('GET', path)).body.rows.length,
      ),
    );
  const before = await count(ours);
  for (const [method, path, json] of [
    ['POST', '/tokens', { name: 'theirs', role: 'owner', expiresInDays: 1 }],
    ['POST', '/invitations', { email: 'spy@example.com', role: 'owner' }],
    ['PATCH', `/staff/${rival.userId}`, { role: 'viewer', version: 1 }],
  ] as const)
    expect(await rival.ask(method, path, { ...json, ...foreign }), path).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  expect(await count(ours)).toEqual(before);
  const { rows } = (await ours.ask('GET', '/staff')).body;
  expect(rows.find(({ userId }: { userId: string }) => userId === ours.userId).role).toBe('owner');
});

test('an id with U+0000 is not found', async () => {
  const { ask } = await signIn(service(), 'owner');
  for (const [method, path] of [
    ['GET', '/admin/v1/publishers/a%00b/staff'],
    ['PATCH', '/endpoints/a%00b'],
    ['GET', '/transactions/%00'],
  ] as const)
    expect((await ask(method, path, method === 'GET' ? undefined : {})).status, path).toBe(404);
});
