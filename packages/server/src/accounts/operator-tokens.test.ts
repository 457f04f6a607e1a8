import { expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../test/admin.ts';
import { useManagement } from '../../test/management.ts';

const { service } = useManagement();
const path = '/admin/v1/roles';

test('accepts an operator token on the admin API and rejects every other credential', async () => {
  const viewer = await asRole(service(), 'viewer');
  expect(await viewer('GET', path)).toMatchObject({ status: 200 });
  for (const authorization of ['', 'Bearer ', `Bearer svc_ok_${'x'.repeat(40)}`, 'Basic YTpi'])
    expect(await service().call('GET', path, { key: null, headers: { authorization } })).toMatchObject({
      status: 401,
      body: { code: 'Unauthorized' },
    });
});

test('lists every role with its permissions', async () => {
  const { owner } = await asEveryRole(service());
  const { body } = await owner('GET', path);
  expect(body.roles.map(({ role }: { role: string }) => role)).toEqual([
    'owner',
    'manager',
    'finance',
    'support',
    'developer',
    'viewer',
  ]);
});
