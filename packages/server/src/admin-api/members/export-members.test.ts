import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf, writtenEntries } from '../../../test/audit.ts';
import { useLinking } from '../../../test/linking.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { parseCsv } from '../../members/import/parse-csv.ts';

const { service, db, makeMember, makeEmptyGroup, generate, linked } = useLinking();
let owner: Asking;
let others: Record<string, Asking>;
let rival: Asking;
beforeAll(async () => {
  ({ owner, ...others } = await asEveryRole(service()));
  rival = await asRole(service(), 'owner', 'rival');
});

const file = async (query: string, ask = owner): Promise<string> => {
  const { status, text } = await ask('GET', `/members.csv?${query}`);
  expect(status, text).toBe(200);
  return text;
};

/** Returns the lines of an exported file by the names of its columns. */
async function linesOf(query: string, ask = owner): Promise<Record<string, string>[]> {
  const [head, ...rest] = parseCsv(await file(query, ask));
  return rest.map(({ cells }) =>
    Object.fromEntries((head?.cells ?? []).map((name, index) => [name, cells[index] ?? ''])),
  );
}

const importing = async (csv: string, group: string, codeScope = 'group', isDryRun = false) => {
  const { status, body } = await owner('POST', `/members/import?group=${group}`, {
    csv,
    codeScope,
    isDryRun,
  });
  expect(status).toBe(200);
  return body.lines as { verdict: string; problems: string[]; memberId: string }[];
};

test('roles with the permission can export their own publisher’s creators', async () => {
  const { manager, finance, ...without } = others as Record<string, Asking>;
  for (const ask of [owner, manager, finance])
    expect(await ask?.('GET', '/members.csv?group=main')).toMatchObject({ status: 200 });
  for (const [role, ask] of Object.entries(without))
    expect(await ask('GET', '/members.csv'), role).toMatchObject({ status: 403 });
  expect(await rival('GET', '/admin/v1/publishers/aurora/members.csv')).toMatchObject({ status: 404 });
  const theirs = await linesOf('ids=main/acc_alice', rival);
  expect(theirs).toEqual([]);
  for (const query of ['status=Gone', 'tier=gold', 'tag=vip', 'q=a', 'ids=acc_alice', 'groupId=main'])
    expect(await owner('GET', `/members.csv?${query}`), query).toMatchObject({ status: 400 });
  const many = Array.from({ length: 101 }, (_, index) => `main/acc_${index}`).join();
  expect(await owner('GET', `/members.csv?ids=${many}`)).toMatchObject({ status: 400 });
});

test('the file has the creators of the list, and the export has an audit entry', async () => {
  await makeEmptyGroup('filtered', 'tiers: [ { name: Gold, revShare: 30 } ]');
  await importing(
    'id,name,codes,tier,status,tags\nf_1,Ann,ANN-1 ANN-2,Gold,,Press; VIP\nf_2,Anton,,,Pending,\nf_3,Bea,,,,VIP',
    'filtered',
  );
  const names = async (query: string) => (await linesOf(query)).map(({ name }) => name);
  expect(await names('group=filtered')).toEqual(['Bea', 'Ann']);
  expect(await names('group=filtered&status=Pending')).toEqual(['Anton']);
  expect(await names('group=filtered&q=an')).toEqual(['Ann']);
  const { body } = await owner('GET', '/members?group=filtered');
  const [{ tags }, { tier, tags: two }] = body.rows;
  expect(await names(`group=filtered&tier=${tier.id}`)).toEqual(['Ann']);
  expect(await names(`group=filtered&tag=${tags[0].id}`)).toEqual(['Bea', 'Ann']);
  expect(two).toHaveLength(2);
  const [first] = await entriesOf(db(), async () => {
    const [bea, ann] = await linesOf('group=filtered');
    expect(bea).toMatchObject({ id: 'f_3', codes: '', tier: '', tags: 'VIP' });
    expect(ann).toEqual({
      id: 'f_1',
      name: 'Ann',
      codes: 'ANN-1 ANN-2',
      playerId: '',
      displayName: '',
      tier: 'Gold',
      status: 'Approved',
      visible: 'yes',
      logoImage: '',
      profileImage: '',
      identities: '',
      tags: 'Press, VIP',
      group: 'filtered',
      joinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      removedAt: '',
      removalReason: '',
    });
  });
  expect(first).toMatchObject({
    action: 'member.export',
    target: 'publisher:aurora',
    after: { group: 'filtered' },
  });
});

test('chosen creators are exported, and no others', async () => {
  await makeEmptyGroup('twice');
  await importing('id,name\nacc_alice,\nc_1,One\nc_2,Two', 'twice');
  const keys = async (query: string) => (await linesOf(query)).map(({ id, group }) => `${group}/${id}`);
  expect(await keys('ids=twice/acc_alice,twice/c_1')).toEqual(['twice/c_1', 'twice/acc_alice']);
  expect(await keys('ids=main/acc_alice&ids=twice/c_2')).toEqual(['twice/c_2', 'main/acc_alice']);
  expect(await keys('ids=twice/c_1&group=main'), 'with a filter').toEqual([]);
  expect(await keys('ids=twice/c_1&status=Removed'), 'with a filter').toEqual([]);
  expect(await keys('ids=nowhere/c_1,twice/c_9')).toEqual([]);
});

test('importing an exported file changes nothing', async () => {
  await makeEmptyGroup(
    'round',
    'tiers: [ { name: Gold, revShare: 30 }, { name: " Odd tier", revShare: 20 } ]',
  );
  await service().provision(`
    publisher: { id: aurora }
    groups:
      - id: round
        members:
          - { id: "@r.1", name: "=1+1", playerId: "-17", tier: Gold, visible: false,
              playerMetadata: { displayName: "+1, \\"Zoë\\"\\r\\nFan", own: { level: 7 } },
              logoImage: "https://img.example/a,b.png",
              codes: [ { code: ROUND-A, group: round }, { code: Round-G, primary: true }, { code: -ROUND, group: round } ],
              identities: [ { provider: twitch, id: "77" }, { provider: "odd:one", id: "a b" } ] }
          - { id: r_2, name: "  '=quoted ", tier: " Odd tier", status: Pending,
              codes: [ { code: BOTH-1, group: round }, { code: both-1 } ] }
          - { id: r_3, name: "＝Wide; name", codes: [ { code: ROUND-C, approved: false, group: round } ] }`);
  await owner('POST', '/members/bulk/tag', {
    members: [{ memberId: 'r_2', groupId: 'round' }],
    tag: '@press',
    isTagged: true,
  });
  // A creator's own account, a claimed member and a removed one.
  const creator = await makeMember('round', 'Own-Account');
  await generate('round', 'round-player');
  await linked('round', creator, 'round-player');
  await importing('id,name,codes\nr_4,Gone,GONE-1', 'round');
  await owner('POST', '/members/bulk/remove', {
    members: [{ memberId: 'r_4', groupId: 'round' }],
    reason: '=left, with "thanks"',
  });
  const stored = async () => {
    const [{ rows: members }, { rows: codes }, { rows: identities }] = await Promise.all([
      sql`select m.*, m.player_metadata::text as player_metadata, a.* from membership m
          join creator_account a on a.account_id = m.account_id
          where m.publisher_id = 'aurora' order by m.membership_id`.execute(db()),
      sql`select code, membership_id::text, is_primary from group_code
          union all select code, account_id, is_primary from global_code order by 1, 2`.execute(db()),
      sql`select * from creator_identity order by 1, 2`.execute(db()),
    ]);
    return { members, codes, identities, entries: (await writtenEntries(db())).length };
  };
  let count = 0;
  for (const status of ['Approved', 'Pending', 'Removed']) {
    const csv = await file(`group=round&status=${status}`);
    const before = await stored();
    for (const codeScope of ['group', 'global'])
      for (const isDryRun of [true, false]) {
        const lines = await importing(csv, 'round', codeScope, isDryRun);
        count += lines.length;
        for (const line of lines)
          expect(line, codeScope).toMatchObject({ verdict: 'as before', problems: [], warnings: [] });
      }
    expect(await stored()).toEqual(before);
  }
  expect(count).toBe(4 * 5);
  const [one] = await linesOf('group=round&q=@r.1');
  expect(one).toMatchObject({ id: "'@r.1", name: "'=1+1", playerId: "'-17", identities: 'twitch:77' });
  expect(await linesOf('group=round&status=Removed')).toMatchObject([
    { id: 'r_4', removalReason: `'=left, with "thanks"`, removedAt: expect.stringMatching(/Z$/) },
  ]);
});

test('lines of an exported file for another group, or of a removed creator, do not change other members', async () => {
  await makeEmptyGroup('here', 'tiers: [ { name: Gold, revShare: 30 } ]');
  await makeEmptyGroup('there');
  await importing('id,name,tier\nh_1,Here,Gold', 'here');
  await importing('id,name\nh_1,', 'there');
  const both = await file('ids=here/h_1,there/h_1');
  expect(await importing(both, 'there')).toMatchObject([
    { memberId: 'h_1', verdict: 'as before', problems: [] },
    {
      verdict: 'refused',
      problems: ['The line is for the group “here”. Choose that group, and import the file again.'],
    },
  ]);
  const removed = `id,name,status,removalReason\nh_1,Here,Removed,bye\nh_9,New,removed,bye`;
  for (const line of await importing(removed, 'here'))
    expect(line).toMatchObject({
      verdict: 'refused',
      problems: [
        'The status must be Approved or Pending, not Removed. To remove creators, use the list and give a reason.',
      ],
    });
});

test('an import keeps the other properties of a creator’s metadata', async () => {
  await makeEmptyGroup('data');
  await service().provision(
    '{ publisher: { id: aurora }, groups: [ { id: data, members: [ { id: d_1, name: D, playerMetadata: { displayName: Dee, own: 1 } } ] } ] }',
  );
  expect(await importing('id,displayName\nd_1,Dora', 'data')).toMatchObject([{ verdict: 'changed' }]);
  const { rows } = await sql<{ player_metadata: unknown }>`
    select player_metadata from membership where account_id = 'd_1'`.execute(db());
  expect(rows).toEqual([{ player_metadata: { displayName: 'Dora', own: 1 } }]);
});

test('10,000 creators are exported once each, in order, as fast as the client reads', async () => {
  await makeEmptyGroup('crowd');
  const admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  await admin.query(`
    set session_replication_role = replica; -- without the checks of foreign keys, which take half a minute
    insert into creator_account (account_id, owner_publisher_id, name, profile_image)
    select 'crowd_' || n, 'aurora', 'Creator ' || n, 'https://img.example/' || repeat('x', 1500)
    from generate_series(1, 10000) n;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', ('0198f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'crowd', 'crowd_' || n, 'Approved'
    from generate_series(1, 10000) n`);
  await admin.end();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const role = { publisherId: 'aurora', name: 'crowd', role: 'owner', expiresAt } as const;
  const { token } = await createToken(db(), testActor, role, new Date());
  const url = `${service().url}/admin/v1/publishers/aurora/members.csv?group=crowd`;
  const open = () => fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const reader = (await open()).body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  await sleep(1_000); // enough to produce the whole file
  await sql`update creator_account set name = 'Renamed' where account_id = 'crowd_1'`.execute(db());
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    text += piece.value;
  const lines = text.split('\r\n').slice(1, -1);
  expect(lines.map((line) => line.split(',')[0])).toEqual(
    Array.from({ length: 10_000 }, (_, index) => `"crowd_${10_000 - index}"`),
  );
  // The end of the 16 MB file was read after the change, because nothing is read ahead of the client.
  expect(lines.at(-1)).toMatch(/^"crowd_1",Renamed,/);
});
