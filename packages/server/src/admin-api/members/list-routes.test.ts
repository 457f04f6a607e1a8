import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useManagement } from '../../../test/management.ts';

const { service, keys, provisionGroup } = useManagement();
let viewer: Asking;
beforeAll(async () => {
  viewer = await asRole(service(), 'viewer');
});

const idsOf = ({ body }: { body: { rows: { memberId: string }[] } }): string[] =>
  body.rows.map(({ memberId }) => memberId);

describe('permission to read creators', () => {
  test.each(['/members', '/members/counts', '/codes', '/codes/ALICE/check'])(
    'is available to every role of the publisher, but not to other publishers: %s',
    async (path) => {
      for (const ask of Object.values(await asEveryRole(service())))
        expect((await ask('GET', path)).status).toBe(200);
      const rival = await asRole(service(), 'owner', 'rival');
      const response = await rival('GET', `/admin/v1/publishers/aurora${path}`);
      expect(response).toMatchObject({ status: 404, body: { code: 'NotFound' } });
      const signedOut = await service().call('GET', `/admin/v1/publishers/aurora${path}`, { key: null });
      expect(signedOut).toMatchObject({ status: 401, body: { code: 'Unauthorized' } });
    },
  );
});

describe('the list of creators', () => {
  test('shows creators with one status, most recently joined first', async () => {
    const approved = await viewer('GET', '/members?group=main');
    expect(idsOf(approved)).toEqual(['acc_bob', 'acc_alice']);
    expect(approved.body.rows[1]).toMatchObject({
      name: 'Alice',
      groupId: 'main',
      groupName: 'Aurora Creators',
      playerId: 'p-1',
      status: 'Approved',
      tier: { name: 'Gold' },
      codes: ['ALICE', 'AL-1', 'OLD'],
      removedAt: null,
      removalReason: null,
    });
    expect(idsOf(await viewer('GET', '/members?status=Pending'))).toEqual(['acc_pending']);
    expect((await viewer('GET', '/members?status=Removed')).body.rows).toMatchObject([
      { memberId: 'acc_removed', status: 'Removed', removalReason: null },
    ]);
  });

  test('covers all groups if the request names no group', async () => {
    const { body } = await viewer('GET', '/members');
    expect(body.rows.map((row: { groupId: string }) => row.groupId)).toEqual([
      'moba',
      'moba',
      'main',
      'main',
    ]);
    expect(idsOf(await viewer('GET', '/members?group=nowhere'))).toEqual([]);
  });

  test.each([
    ['al', ['acc_alice', 'acc_alice']],
    ['AL', ['acc_alice', 'acc_alice']],
    ['al-', ['acc_alice']],
    ['Dor', ['acc_dora']],
    ['bob', ['acc_dora', 'acc_bob']],
    ['acc_bob', ['acc_bob']],
    ['p-2', ['acc_bob']],
    ['riv', []],
    ['%%', []],
    ['LIC', ['acc_alice', 'acc_alice']],
    ['lic%', []],
  ])('is searched by a part of a name, a prefix of a code, or a complete id: %s', async (typed, found) => {
    expect(idsOf(await viewer('GET', `/members?q=${encodeURIComponent(typed)}`))).toEqual(found);
  });

  test('is searched by a prefix that thousands of names and codes share', async () => {
    await provisionGroup('crowded', 'revShare: 5');
    const { db } = service().testDatabase.database;
    const id = sql`('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
    await sql`
      insert into creator_account (account_id, owner_publisher_id, name)
      select 'wide_' || i, 'aurora', case when i <= 2100 then 'Wide ' || i else 'Other ' || i end
      from generate_series(1, 2110) i`.execute(db);
    await sql`
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      select 'aurora', ${id}, 'crowded', 'wide_' || i, 'Approved' from generate_series(1, 2110) i`.execute(
      db,
    );
    await sql`
      insert into group_code (publisher_id, group_id, code_folded, code, membership_id)
      select 'aurora', 'crowded', 'widecode-' || i, 'WideCode-' || i, ${id} from generate_series(2106, 2110) i`.execute(
      db,
    );
    const { body } = await viewer('GET', '/members?group=crowded&q=WIDE&limit=100');
    // Five match only by code, and the rest match by name.
    expect(idsOf({ body }).slice(0, 6)).toEqual([2110, 2109, 2108, 2107, 2106, 2100].map((i) => `wide_${i}`));
    expect(body.rows).toHaveLength(100);
    const next = await viewer('GET', `/members?group=crowded&q=WIDE&limit=100&cursor=${body.nextCursor}`);
    expect(idsOf(next)[0]).toBe('wide_2005');
  });

  test('is filtered by tier', async () => {
    const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
    expect(idsOf(await viewer('GET', `/members?tier=${gold}`))).toEqual(['acc_alice']);
    expect(idsOf(await viewer('GET', '/members?tier=7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c91'))).toEqual([]);
    expect((await viewer('GET', '/members?tier=gold')).status).toBe(400);
  });

  test.each(['status=Gone', 'q=a', 'q=%00%00', 'limit=51', 'cursor=abc'])('rejects %s', async (query) => {
    expect((await viewer('GET', `/members?${query}`)).status).toBe(400);
  });

  test('is paged, and rejects a cursor from another list', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `{ id: acc_${index}, name: Many ${index} }`);
    await provisionGroup('many', `revShare: 5, members: [ ${names.join(', ')} ]`);
    const first = await viewer('GET', '/members?group=many&limit=50');
    const second = await viewer('GET', `/members?group=many&limit=50&cursor=${first.body.nextCursor}`);
    const all = [...idsOf(first), ...idsOf(second)];
    expect(new Set(all).size).toBe(60);
    expect(all[0]).toBe('acc_59');
    expect(second.body.nextCursor).toBeNull();
    for (const query of ['group=many&status=Pending', 'group=main', 'group=many&q=many'])
      expect((await viewer('GET', `/members?${query}&cursor=${first.body.nextCursor}`)).body.code).toBe(
        'InvalidCursor',
      );
  });
});

test('creators are counted by status up to a limit', async () => {
  const { body } = await viewer('GET', '/members/counts?group=main');
  expect(body).toEqual({
    Approved: { atLeast: 2, isExact: true },
    Pending: { atLeast: 1, isExact: true },
    Removed: { atLeast: 1, isExact: true },
  });
  const names = Array.from({ length: 251 }, (_, index) => `{ id: crowd_${index}, status: Pending }`);
  await provisionGroup('crowd', `revShare: 5, members: [ ${names.slice(1).join(', ')} ]`);
  expect((await viewer('GET', '/members/counts?group=crowd')).body.Pending).toEqual({
    atLeast: 250,
    isExact: true,
  });
  await provisionGroup('crowd', `revShare: 5, members: [ ${names[0]} ]`);
  expect((await viewer('GET', '/members/counts?group=crowd')).body.Pending).toEqual({
    atLeast: 250,
    isExact: false,
  });
});

describe('the list of codes', () => {
  interface Row {
    code: string;
    groupId: string;
    scope: string;
    memberId: string;
    refusedFor: string | null;
  }
  const placesOf = ({ body }: { body: { rows: Row[] } }): string[] =>
    body.rows.map(({ code, groupId, scope }) => `${code} ${groupId}${scope === 'global' ? ' *' : ''}`);

  test('covers all groups in alphabetical order, with the creator, time and status of each code', async () => {
    const all = await viewer('GET', '/codes');
    expect(placesOf(all).filter((place) => !/ (many|crowd|crowded)/.test(place))).toEqual([
      'AL-1 main',
      'ALICE main *',
      'ALICE moba *',
      'BOB main *',
      'BOB moba',
      'DORA moba *',
      'MOBA-AL moba',
      'OLD main *',
      'OLD moba *',
      'PENDING main *',
      'REMOVED main *',
    ]);
    expect(all.body.rows[0]).toEqual({
      code: 'AL-1',
      memberId: 'acc_alice',
      name: 'Alice',
      groupId: 'main',
      groupName: 'Aurora Creators',
      scope: 'group',
      status: 'Approved',
      isPrimary: false,
      isGenerated: true,
      since: expect.stringMatching(/Z$/),
      refusedFor: null,
    });
    expect(Math.abs(Date.now() - Date.parse(all.body.rows[0].since))).toBeLessThan(600_000);
    expect(all.body.rows.slice(1)).toContainEqual(
      expect.objectContaining({ code: 'ALICE', groupId: 'main', isPrimary: true, isGenerated: false }),
    );
    expect(all.body.rows).toContainEqual(expect.objectContaining({ code: 'PENDING', status: 'Pending' }));
    expect(all.text).not.toContain('RIVAL');
  });

  test.each([
    ['group=moba', ['ALICE moba *', 'BOB moba', 'DORA moba *', 'MOBA-AL moba', 'OLD moba *']],
    ['group=main&q=al', ['AL-1 main', 'ALICE main *']],
    ['group=moba&q=ALICE', ['ALICE moba *']],
    ['q=lice', []],
    ['q=RIVAL', []],
    ['q=%25', []],
    ['group=hidden', []],
    ['group=main&credits=false', ['OLD main *', 'PENDING main *', 'REMOVED main *']],
    ['group=main&credits=true', ['AL-1 main', 'ALICE main *', 'BOB main *']],
  ])('is filtered by group, prefix and whether codes are credited: %s', async (query, expected) => {
    expect(placesOf(await viewer('GET', `/codes?${query}`))).toEqual(expected);
  });

  test('agrees with recording about every code, and gives the reason', async () => {
    await provisionGroup(
      'behind',
      `revShare: 5, members: [
        { id: behind_1, name: One, codes: [ { code: FRONT } ] },
        { id: behind_2, name: Two, codes: [ { code: FRONT, group: behind }, { code: SHUT, group: behind, approved: false } ] },
        { id: behind_3, name: Three, codes: [ { code: SHUT } ] },
        { id: behind_4, name: Four, status: Pending, codes: [ { code: BLOCK, group: behind } ] },
        { id: behind_5, name: Five, status: Pending, codes: [ { code: BLOCK } ] } ]`,
    );
    const { body } = await viewer('GET', '/codes?group=behind');
    expect(body.rows.map(({ code, memberId, refusedFor }: Row) => [code, memberId, refusedFor])).toEqual([
      ['BLOCK', 'behind_4', 'member'],
      ['BLOCK', 'behind_5', 'shadowed'],
      ['FRONT', 'behind_2', null],
      ['FRONT', 'behind_1', 'shadowed'],
      ['SHUT', 'behind_2', 'code'],
      ['SHUT', 'behind_3', null],
    ]);
    const everywhere: Row[] = (await viewer('GET', '/codes?limit=250')).body.rows;
    for (const [query, rows] of [
      ['', everywhere],
      ['&group=behind', body.rows as Row[]],
    ] as const) {
      const refused = await viewer('GET', `/codes?limit=250&credits=false${query}`);
      expect(refused.body.rows).toEqual(rows.filter(({ refusedFor }) => refusedFor !== null));
    }
    for (const { code, groupId } of everywhere) {
      const { body: found } = await service().call('GET', `/v1/manage/members/${code}?groupId=${groupId}`, {
        key: keys().backend,
      });
      const credited = everywhere.filter(
        (each) => each.code === code && each.groupId === groupId && each.refusedFor === null,
      );
      expect({ code, groupId, ids: credited.map(({ memberId }) => memberId) }).toEqual({
        code,
        groupId,
        ids: found.id === undefined ? [] : [found.id],
      });
    }
  });

  test('is paged across both scopes and all groups, and rejects a cursor from another list', async () => {
    const numbers = Array.from({ length: 55 }, (_, index) => index);
    const names = numbers.map(
      (n) =>
        `{ id: coded_${n}, codes: [ { code: paged-${n} }, { code: PAGED-${54 - n}, group: coded }, { code: SOLE-${n}, group: coded } ] }`,
    );
    await provisionGroup('coded', `revShare: 5, members: [ ${names.join(', ')} ]`);
    const others = numbers.map((n) => `{ id: coded_${n} }`);
    await provisionGroup('coded-too', `revShare: 5, members: [ ${others.join(', ')} ]`);
    const walk = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await viewer('GET', `/codes?${query}&limit=50${cursor}`);
        found.push(...placesOf(page));
        if (page.body.nextCursor === null) return found;
        expect(page.body.rows).toHaveLength(50);
        cursor = `&cursor=${page.body.nextCursor}`;
      }
    };
    const inOrder = numbers.map(String).sort();
    const everywhere = inOrder.flatMap((n) => [
      `PAGED-${n} coded`,
      `paged-${n} coded *`,
      `paged-${n} coded-too *`,
    ]);
    // Pages end between a group code and a global code, and between two groups with a global code.
    expect(await walk('q=paged')).toEqual(everywhere);
    expect(await walk('group=coded-too')).toEqual(inOrder.map((n) => `paged-${n} coded-too *`));
    expect(await walk('q=sole')).toEqual(inOrder.map((n) => `SOLE-${n} coded`));
    const { nextCursor } = (await viewer('GET', '/codes?group=coded')).body;
    for (const query of ['group=main', 'group=coded&credits=true', 'group=coded&q=p', ''])
      expect((await viewer('GET', `/codes?${query}&cursor=${nextCursor}`)).body.code).toBe('InvalidCursor');
    const rival = await asRole(service(), 'viewer', 'rival');
    const path = `/admin/v1/publishers/rival/codes?group=coded&cursor=${nextCursor}`;
    expect((await rival('GET', path)).body.code).toBe('InvalidCursor');

    // When there are more members than a list scans, global codes are found through their index.
    const { db } = service().testDatabase.database;
    await provisionGroup('vast', 'revShare: 5');
    await sql`
      with account as (
        insert into creator_account (account_id, name, owner_publisher_id)
        select 'vast_' || i, 'Vast', 'aurora' from generate_series(1, 5001) i
        returning account_id
      )
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      select 'aurora', gen_random_uuid(), 'vast', account_id, 'Approved' from account`.execute(db);
    expect(await walk('q=paged')).toEqual(everywhere);
    expect(await walk('group=behind')).toEqual([
      'BLOCK behind',
      'BLOCK behind *',
      'FRONT behind',
      'FRONT behind *',
      'SHUT behind',
      'SHUT behind *',
    ]);
  });

  test.each(['credits=perhaps', 'limit=51', 'cursor=abc', 'q=%00'])('rejects %s', async (query) => {
    expect((await viewer('GET', `/codes?${query}`)).status).toBe(400);
  });
});

describe('the check of a code', () => {
  const verdictsOf = async (code: string, group = 'main') => {
    const { status, body } = await viewer('GET', `/codes/${encodeURIComponent(code)}/check?group=${group}`);
    expect(status).toBe(200);
    return {
      credited: body.credited?.memberId ?? null,
      failed: body.checks.filter(({ verdict }: { verdict: string }) => verdict === 'failed'),
    };
  };

  test.each([
    ['ALICE', 'main', 'acc_alice'],
    ['alice', 'moba', 'acc_alice'],
    ['AL-1', 'main', 'acc_alice'],
    ['BOB', 'main', 'acc_bob'],
    ['BOB', 'moba', 'acc_dora'],
  ])('%s in %s credits %s', async (code, group, memberId) => {
    expect(await verdictsOf(code, group)).toEqual({ credited: memberId, failed: [] });
  });

  test.each([
    ['no such', 'main', 'shape', /2 to 32 letters/],
    ['UNKNOWN', 'main', 'exists', /None of your creators has the code UNKNOWN/],
    ['RIVAL', 'main', 'exists', /None of your creators has the code RIVAL/],
    ['AL-1', 'moba', 'group', /group code of Aurora Creators and is valid only there/],
    [
      'DORA',
      'main',
      'group',
      /global code of Dora, who is a member of Aurora MOBA, but not of Aurora Creators/,
    ],
    ['OLD', 'main', 'code', /itself isn't approved/],
    ['PENDING', 'main', 'member', /Pending\. Approve the creator/],
    ['REMOVED', 'main', 'member', /acc_removed is Removed\. Earlier earnings aren't affected/],
  ])('%s in %s fails the check %s', async (code, group, check, sentence) => {
    const { credited, failed } = await verdictsOf(code, group);
    expect(credited).toBeNull();
    expect(failed).toEqual([{ check, verdict: 'failed', says: expect.stringMatching(sentence) }]);
  });

  test('agrees with recording for every code in every group', async () => {
    for (const code of [
      'ALICE',
      'AL-1',
      'OLD',
      'BOB',
      'PENDING',
      'REMOVED',
      'MOBA-AL',
      'DORA',
      'UNKNOWN',
      'RIVAL',
    ])
      for (const group of ['main', 'moba']) {
        const recorded = await service().call('GET', `/v1/manage/members/${code}?groupId=${group}`, {
          key: keys().backend,
        });
        const { credited } = await verdictsOf(code, group);
        expect({ code, group, credited }).toEqual({ code, group, credited: recorded.body.id ?? null });
      }
  });

  test('uses the default group if the request names no group, and rejects an unknown group', async () => {
    expect((await viewer('GET', '/codes/ALICE/check')).body.groupId).toBe('main');
    expect((await viewer('GET', '/codes/ALICE/check?group=hidden')).body.code).toBe('InvalidGroup');
  });
});
