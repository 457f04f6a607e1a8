import { expect, test } from 'vitest';
import { useService } from '../../test/test-service.ts';

const service = useService();

async function defaultGroup(publisherId: string, groups: string): Promise<string> {
  await service().provision(`{ publisher: { id: ${publisherId} }, groups: ${groups} }`);
  const { group_id } = await service()
    .testDatabase.database.db.selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow();
  return group_id;
}

test("makes a publisher's first group the default, regardless of its id", async () => {
  expect(
    await defaultGroup('one', '[ { id: z, revShare: 1 }, { id: a, revShare: 1 }, { id: m, revShare: 1 } ]'),
  ).toBe('z');
});

test('keeps a group marked as default until another one is marked', async () => {
  expect(await defaultGroup('two', '[ { id: z, revShare: 1 }, { id: a, revShare: 1, default: true } ]')).toBe(
    'a',
  );
  expect(await defaultGroup('two', '[ { id: b, revShare: 1 } ]')).toBe('a');
  expect(await defaultGroup('two', '[ { id: b, default: true } ]')).toBe('b');
});

test('answers InvalidGroup to a publisher without groups', async () => {
  const [key] = await service().provision('publisher: { id: bare, apiKeys: [ { name: k, kind: secret } ] }');
  const path = '/v1/attributions/transactions';
  const listed = await service().call('GET', path, { key: key?.key ?? '' });
  expect([listed.status, listed.body.code]).toEqual([400, 'InvalidGroup']);
  expect(listed.body.message).toContain('no default creator group');
});
