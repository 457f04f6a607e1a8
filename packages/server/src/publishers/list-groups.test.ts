import { describe, expect, test } from 'vitest';
import { seen, useManagement } from '../../test/management.ts';

const { service, keys, ask } = useManagement();

const aurora = [
  { name: 'Aurora Creators', id: 'main', isDefault: true },
  { name: 'Aurora MOBA', id: 'moba', isDefault: false },
];

describe('listing groups is rejected', () => {
  test.each([
    ['without a key', null],
    ['with a malformed key', 'nonsense'],
    ['with a mistyped key', `svc_sk_${'x'.repeat(38)}`],
  ])('401 %s', async (_what, key) => {
    const { status, body } = await ask('/groups', { key });
    expect([status, body.code]).toEqual([401, 'Unauthorized']);
  });

  test('403 with a public key', async () => {
    const { status, body } = await ask('/groups', { key: keys().client });
    expect([status, body.code]).toEqual([403, 'Forbidden']);
  });
});

describe('the groups of a publisher', () => {
  test('are listed in one answer with name, id and the default group', async () => {
    const { status, body } = await ask('/groups');
    expect([status, body]).toEqual([200, { groups: aurora }]);
  });

  test('are all listed, even for a key of one group', async () => {
    expect((await ask('/groups', { key: keys().moba })).body).toEqual({ groups: aurora });
  });

  test.each([
    ['?groupId=moba', 'groupId'],
    ['?groupId=nowhere', 'groupId'],
    ['?groupId=a&groupId=b', 'groupId'],
    ['?page=0&pageSize=x', 'page, unknown-property pageSize'],
  ])('ignore the query, and report it: %s', async (query, ignored) => {
    const answer = await ask(`/groups${query}`);
    expect(answer.headers.get('x-warning')).toBe(`unknown-property ${ignored}`);
    const headers = new Headers(answer.headers);
    headers.delete('x-warning');
    expect(seen({ ...answer, headers })).toEqual(seen(await ask('/groups')));
  });

  test('do not include those of other publishers', async () => {
    const { body } = await ask('/groups', { key: keys().rival });
    expect(body).toEqual({
      groups: [
        { name: 'hidden', id: 'hidden', isDefault: false },
        { name: 'main', id: 'main', isDefault: true },
      ],
    });
  });

  test('are an empty list for a publisher without groups', async () => {
    const [key] = await service().provision(
      'publisher: { id: bare, apiKeys: [ { name: k, kind: secret } ] }',
    );
    const { status, body } = await ask('/groups', { key: key?.key ?? null });
    expect([status, body]).toEqual([200, { groups: [] }]);
  });

  test('are listed in the order of creation, and reflect a new group or default at once', async () => {
    const [key] = await service().provision(
      '{ publisher: { id: late, apiKeys: [ { name: k, kind: secret } ] }, groups: [ { id: zeta, revShare: 1 } ] }',
    );
    const list = async () => (await ask('/groups', { key: key?.key ?? null })).body.groups;
    expect(await list()).toEqual([{ name: 'zeta', id: 'zeta', isDefault: true }]);
    await service().provision(
      '{ publisher: { id: late }, groups: [ { id: alpha, name: First, revShare: 1, default: true } ] }',
    );
    expect(await list()).toEqual([
      { name: 'zeta', id: 'zeta', isDefault: false },
      { name: 'First', id: 'alpha', isDefault: true },
    ]);
  });

  test('are not paged, even with 150 groups', async () => {
    const groups = Array.from({ length: 150 }, (_, index) => `{ id: g${index}, revShare: 1 }`);
    const [key] = await service().provision(
      `{ publisher: { id: many, apiKeys: [ { name: k, kind: secret } ] }, groups: [ ${groups.join(', ')} ] }`,
    );
    const { body } = await ask('/groups', { key: key?.key ?? null });
    expect(body.groups).toHaveLength(150);
    expect(body.groups.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });
});
