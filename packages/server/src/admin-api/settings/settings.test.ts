import { expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { useManagement } from '../../../test/management.ts';

const { service } = useManagement({
  environment: { SMTP_URL: 'smtp://mail.example:587', MAIL_FROM: 'Aurora <a@aurora.example>' },
});
const db = () => service().testDatabase.database.db;
const whole = '/admin/v1/publishers/aurora';

test('every role can read the settings, and only an owner can change them', async () => {
  const roles = await asEveryRole(service());
  const { body } = await roles.viewer('GET', '/settings');
  expect(body).toMatchObject({
    publisherId: 'aurora',
    name: 'Aurora Games',
    forgetBuyersAfterDays: null,
    provenance: { last: { kind: 'program-file', file: 'test.yaml' }, file: { file: 'test.yaml' } },
    installation: { mailFrom: 'Aurora <a@aurora.example>', publicUrl: null, provider: null, reference: true },
  });
  for (const [role, ask] of Object.entries(roles)) {
    expect(await ask('GET', '/settings'), role).toMatchObject({ status: 200 });
    if (role !== 'owner')
      expect(await ask('PUT', '/settings', { version: body.version, name: 'No' }), role).toMatchObject({
        status: 403,
      });
  }
  const rival = await asRole(service(), 'owner', 'rival');
  for (const [method, json] of [['GET'], ['PUT', { version: body.version, name: 'No' }]] as const)
    expect(await rival(method, `${whole}/settings`, json)).toMatchObject({ status: 404 });
  expect(JSON.stringify(body)).not.toContain('mail.example');
});

test('renames a publisher with an audit entry, and rejects stale and invalid edits', async () => {
  const owner = await asRole(service(), 'owner');
  const { version } = (await owner('GET', '/settings')).body;
  const entries = await entriesOf(db(), async () => {
    const put = (json: unknown) => owner('PUT', '/settings', json);
    for (const bad of [
      {},
      { name: 'x' },
      { version },
      { version, name: '' },
      { version, name: 'x', more: 1 },
    ])
      expect(await put(bad)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(await put({ version, name: 'Aurora Studios' })).toMatchObject({
      status: 200,
      body: {
        name: 'Aurora Studios',
        provenance: { last: { kind: 'token', file: null }, file: { file: 'test.yaml' } },
      },
    });
    expect(await put({ version, name: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'Stale', message: expect.stringContaining('Nothing was saved') },
    });
  });
  expect(entries).toMatchObject([
    {
      action: 'publisher.put',
      actor_kind: 'token',
      before: { name: 'Aurora Games' },
      after: { name: 'Aurora Studios' },
    },
  ]);
});

const edits = async (ask: Asking) =>
  (await ask('GET', '/program-file/edits')).body.rows as {
    target: string;
    isRemoved: boolean;
    fields: { name: string; file: unknown; now: unknown }[];
  }[];
const editsOf = async (ask: Asking, target: string) =>
  (await edits(ask)).find((each) => each.target === target);

test('lists an edit of a program file value until the value matches the file again', async () => {
  const ask = await asRole(service(), 'owner');
  const group = async () =>
    (await ask('GET', '/groups')).body.rows.find(({ groupId }: { groupId: string }) => groupId === 'moba');
  const put = async (json: object) =>
    expect(await ask('PUT', '/groups/moba', { version: (await group()).version, ...json })).toMatchObject({
      status: 200,
    });
  expect(await editsOf(ask, 'group:moba')).toBeUndefined();
  await put({ revShare: 9, holdDays: 3 });
  // The file does not set holdDays, so applying the file would not undo that edit.
  expect(await editsOf(ask, 'group:moba')).toMatchObject({
    file: 'test.yaml',
    editedBy: { kind: 'token' },
    isRemoved: false,
    fields: [{ name: 'revShare', file: 8, now: 9 }],
  });
  await put({ revShare: 8 });
  expect(await editsOf(ask, 'group:moba')).toBeUndefined();
  await put({ revShare: 9 });
  await service().provision('{ publisher: { id: aurora }, groups: [ { id: moba, revShare: 7 } ] }');
  expect(await editsOf(ask, 'group:moba')).toBeUndefined();
  await put({ isDefault: true });
  expect(await editsOf(ask, 'default-group')).toMatchObject({
    fields: [{ name: 'default', file: 'main', now: 'moba' }],
  });
});

test('lists a deletion that a program file would undo', async () => {
  const ask = await asRole(service(), 'owner');
  const { version } = (await ask('GET', '/sku-shares?group=main')).body.rows[0];
  const json = { groupId: 'main', skuId: 'battle-pass', version };
  expect(await ask('POST', '/sku-shares/remove', json)).toMatchObject({ status: 200 });
  expect(await editsOf(ask, 'sku-share:main/battle-pass')).toMatchObject({ isRemoved: true });
});

test('does not list another publisher’s edits', async () => {
  const rival = await asRole(service(), 'viewer', 'rival');
  expect(await edits(rival)).toEqual([]);
  expect(await rival('GET', `${whole}/program-file/edits`)).toMatchObject({ status: 404 });
});
