import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../test/admin.ts';
import { useManagement } from '../../test/management.ts';

const { service } = useManagement();

let owner: Asking;
beforeAll(async () => {
  owner = await asRole(service(), 'owner');
});

const errorOf = async (path: string, body: unknown) => {
  const { status, body: error } = await owner('POST', path, body);
  return { status, code: error.code, path: error.path };
};

test('an error about a single value of the body names its place', async () => {
  const name = 'A connector with this name';
  expect((await owner('POST', '/connectors', { name, provider: 'stripe' })).status).toBe(200);
  expect(await errorOf('/connectors', { name, provider: 'stripe' })).toEqual({
    status: 409,
    code: 'Conflict',
    path: ['name'],
  });
  expect(await errorOf('/connectors', { name: 'Other', provider: 'stripe', secret: 'short' })).toEqual({
    status: 400,
    code: 'InvalidInput',
    path: ['secret'],
  });
  expect(await errorOf('/connectors', { name: '', provider: 'stripe' })).toEqual({
    status: 400,
    code: 'InvalidInput',
    path: ['name'],
  });
});

test('an error about several values, or about none, names no place', async () => {
  expect(await errorOf('/connectors', { name: '', provider: 'none' })).toEqual({
    status: 400,
    code: 'InvalidInput',
    path: undefined,
  });
  expect(await errorOf('/connectors/none/tests', { code: 'ALICE' })).toEqual({
    status: 404,
    code: 'NotFound',
    path: undefined,
  });
});
