import { expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { usePortal } from '../../../test/portal.ts';

const { service, sink } = await usePortal();

test('lists the portal while it is on, and marks it as done once a creator is invited', async () => {
  await service().provision(
    '{ publisher: { id: fresh }, groups: [ { id: main, default: true, revShare: 10 } ] }',
  );
  const manager = await asRole(service(), 'manager', 'fresh');
  const steps = async () => (await manager('GET', '/first-steps')).body.steps;
  expect(await steps()).toContainEqual({ step: 'portal', isDone: false });
  const added = await manager('POST', '/members?group=main', { name: 'Kira', codes: [{ code: 'KIRA-IN' }] });
  expect(added.status, added.text).toBe(200);
  const { memberId } = added.body;
  const invited = await manager('POST', `/members/${memberId}/portal-invitations`, {
    email: 'kira@example.com',
  });
  expect(invited.status, invited.text).toBe(200);
  await sink().next();
  expect(await steps()).toContainEqual({ step: 'portal', isDone: true });
  const developer = await asRole(service(), 'developer', 'fresh');
  expect(JSON.stringify((await developer('GET', '/first-steps')).body)).not.toContain('portal');
});
