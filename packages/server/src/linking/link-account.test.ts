import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../test/attribution-process.ts';
import { useLinking } from '../../test/linking.ts';
import { killWaiting } from '../../test/money.ts';
import { statusesOf } from '../../test/schedules.ts';
import { connect } from '../../test/test-database.ts';
import { startService, type TestService } from '../../test/test-service.ts';

const environment = { LINK_MISSES_PER_MINUTE_PER_PLAYER: '100', LINK_MISSES_PER_MINUTE: '10000' };
const linking = useLinking({ environment });
const { service, keys, ask, link, linked, generate, authCode, makeMember, makeOutsider, query } = linking;
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service(), environment });
});
afterAll(() => other.close());

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const byPlayer = async (playerId: string, groupId = 'main') =>
  (await ask(`/members/player/${playerId}?groupId=${groupId}`)).body;

describe('a member of the group', () => {
  test('gets the playerId, and the response has the five fields of the contract', async () => {
    const id = await makeMember('main', 'Plain');
    const code = await authCode(id);
    const answer = await link('main', { playerId: 'p-plain', authCode: code });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        groupId: 'main',
        groupName: 'Aurora Creators',
        id,
        playerId: 'p-plain',
        codes: [{ code: 'Plain', isPrimary: true, isGenerated: false, isManaged: false }],
      },
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await byPlayer('p-plain')).id).toBe(id);
  });

  test('is linked while Pending, and stays Pending', async () => {
    const id = await makeMember('main', 'Waiting', 'status: Pending');
    expect((await linked('main', id, 'p-waiting')).playerId).toBe('p-waiting');
    expect((await ask('/members/player/p-waiting')).body.code).toBe('PlayerNotInGroup');
  });

  test('can be linked to the same playerId again with a new code', async () => {
    const id = await makeMember('main', 'Again');
    for (const _ of [1, 2]) expect((await linked('main', id, 'p-again')).id).toBe(id);
  });

  test('can take the playerId of a Removed member', async () => {
    const id = await makeMember('main', 'Heir');
    await makeMember('main', 'Former', 'playerId: p-former, status: Removed');
    expect((await linked('main', id, 'p-former')).id).toBe(id);
  });

  test('has a separate playerId in each group', async () => {
    const id = await makeMember('main', 'Twice');
    await makeMember('moba', 'Twice');
    await linked('main', id, 'p-twice');
    await linked('moba', id, 'p-twice-moba');
    expect([(await byPlayer('p-twice')).id, (await byPlayer('p-twice-moba', 'moba')).id]).toEqual([id, id]);
  });

  test('is linked in the group of a scoped key, whatever the groupId', async () => {
    const id = await makeMember('moba', 'Scoped');
    const code = await authCode(id);
    const { body } = await link('nowhere', { playerId: 'p-scoped', authCode: code }, { key: keys().moba });
    expect(body).toMatchObject({ groupId: 'moba', id });
  });

  test('keeps a generated code managed when it links itself', async () => {
    const code = await generate('main', 'p-self');
    const { authCode: own } = (await ask('/members/p-self/authCode')).body;
    const { status, body } = await link('main', { playerId: 'p-self', authCode: own });
    expect([status, body.codes]).toEqual([
      200,
      [{ code, isPrimary: true, isGenerated: true, isManaged: true }],
    ]);
  });

  test('shows the new playerId in purchases at once, in every process', async () => {
    const id = await makeMember('main', 'Credited');
    const sent = { code: 'Credited', subtotal: 100 };
    const { id: rowId, transactionId } = await linking.earn('main', 'A', 100, sent);
    expect((await linking.get(transactionId)).body[0].transaction.memberPlayerId).toBeUndefined();
    await linked('main', id, 'p-credited');
    const { body } = await linking.get(transactionId, { at: other });
    expect(body[0].transaction).toMatchObject({ id: rowId, memberPlayerId: 'p-credited' });
  });
});

describe('metadata', () => {
  const metadataOf = async (playerId: string) => (await byPlayer(playerId)).playerMetadata;

  test.each([
    ['a form with displayName', { displayName: 'Al' }],
    ['a form with playerMetadata[displayName]', { 'playerMetadata[displayName]': 'Al' }],
    ['JSON with displayName', { json: { displayName: 'Al' } }],
    ['JSON with playerMetadata', { json: { playerMetadata: { displayName: 'Al' } } }],
  ])('is stored from %s', async (what, body) => {
    const playerId = `p-${what.replaceAll(/\W/g, '-')}`;
    const code = await authCode(await makeMember('main', playerId.slice(0, 32)));
    const sent = { playerId, authCode: code };
    const answer = await link(
      'main',
      'json' in body ? { json: { ...sent, ...(body.json as object) } } : { ...sent, ...body },
    );
    expect([answer.status, answer.body.playerMetadata]).toEqual([200, undefined]);
    expect(await metadataOf(playerId)).toEqual({ displayName: 'Al' });
  });

  test('keeps other properties with a displayName, is replaced by metadata, and is unchanged without either', async () => {
    const id = await makeMember('main', 'Meta', 'playerMetadata: { displayName: Old, rank: 7 }');
    await linked('main', id, 'p-meta');
    expect(await metadataOf('p-meta')).toEqual({ displayName: 'Old', rank: 7 });
    await linked('main', id, 'p-meta', { displayName: 'New' });
    expect(await metadataOf('p-meta')).toEqual({ displayName: 'New', rank: 7 });
    await linked('main', id, 'p-meta', { displayName: '' });
    expect(await metadataOf('p-meta')).toEqual({ displayName: 'New', rank: 7 });
    const json = { playerId: 'p-meta', authCode: await authCode(id), playerMetadata: { team: 'red' } };
    expect((await link('main', { json })).status).toBe(200);
    expect(await metadataOf('p-meta')).toEqual({ team: 'red' });
  });

  test('is unchanged by a link that fails', async () => {
    const id = await makeMember('main', 'Meta2', 'playerId: p-meta2, playerMetadata: { displayName: Old }');
    const sent = { playerId: 'p-free', authCode: await authCode(id), displayName: 'New' };
    expect((await link('main', sent)).body.code).toBe('MemberAlreadyLinked');
    expect(await metadataOf('p-meta2')).toEqual({ displayName: 'Old' });
  });
});

describe('concurrently', () => {
  test('one of fifty links with the same code succeeds, in two processes', async () => {
    for (const round of [1, 2, 3]) {
      const code = await authCode(await makeMember('main', `Fifty${round}`));
      const answers = await Promise.all(
        times(50, (index) =>
          link(
            'main',
            { playerId: `p-fifty-${round}${index % 5}`, authCode: code },
            { at: index % 2 ? other : service() },
          ),
        ),
      );
      expect(statusesOf(answers)).toEqual({ 200: 1, 400: 49 });
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'InvalidAuthCode']));
    }
  });

  test('one of fifty accounts that link to the same free playerId succeeds', async () => {
    const codes = await Promise.all(
      times(50, async (index) => authCode(await makeMember('main', `Rival${index}`))),
    );
    const answers = await Promise.all(
      codes.map((code, index) =>
        link('main', { playerId: 'p-wanted', authCode: code }, { at: index % 2 ? other : service() }),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 400: 49 });
    const codesSeen = new Set(answers.map(({ body }) => body.code));
    expect(codesSeen).toEqual(new Set([undefined, 'PlayerAlreadyLinked']));
    const index = answers.findIndex(({ status }) => status === 400);
    const retry = { playerId: 'p-wanted-2', authCode: codes[index] ?? '' };
    expect((await link('main', retry)).status, 'the code of a failed link stays valid').toBe(200);
  });

  test('one of fifty accounts that claim the same member succeeds', async () => {
    const code = await generate('main', 'p-prize');
    const codes: string[] = [];
    for (const index of times(50, (each) => each))
      codes.push(await authCode(await makeOutsider(`Hunter${index}`)));
    const answers = await Promise.all(
      codes.map((each, index) =>
        link('main', { playerId: 'p-prize', authCode: each }, { at: index % 2 ? other : service() }),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 400: 49 });
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect((await byPlayer('p-prize')).id).toBe(winner.id);
    expect((await ask(`/members/${code}`)).body.id).toBe(winner.id);
    expect(await query(sql`select 1 from auth_code where account_id = ${winner.id}`)).toEqual([]);
  });

  test('a code used by two publishers links with only one', async () => {
    for (const round of times(6, (each) => each)) {
      const id = await makeOutsider(`Both${round}`);
      await generate('main', `p-both-${round}`);
      const code = await authCode(id);
      const answers = await Promise.all([
        link('main', { playerId: `p-both-${round}`, authCode: code }),
        link('main', { playerId: `p-rival-${round}`, authCode: code }, { key: keys().rival, at: other }),
      ]);
      expect(statusesOf(answers)).toEqual({ 200: 1, 400: 1 });
    }
  });

  test('an account that is claimed while its own code is used is linked before the claim, or not at all', async () => {
    const seen = new Set<string>();
    for (const round of times(12, (each) => each)) {
      await generate('main', `p-turn-${round}`);
      const { authCode: own } = (await ask(`/members/p-turn-${round}/authCode`)).body;
      const claiming = await authCode(await makeOutsider(`Turn${round}`));
      const [claim, self] = await Promise.all([
        link('main', { playerId: `p-turn-${round}`, authCode: claiming }),
        link('main', { playerId: `p-turn-${round}`, authCode: own }, { at: other }),
      ]);
      expect(claim.status).toBe(200);
      seen.add(`${self.status} ${self.body.code}`);
      expect((await byPlayer(`p-turn-${round}`)).id).toBe(`acc_Turn${round}`);
    }
    for (const each of seen) expect(['200 undefined', '400 AccountNotFound']).toContain(each);
  });

  test('a claim that waits for an account is rejected after another publisher links the account', async () => {
    await generate('main', 'p-crossed');
    const { id } = await byPlayer('p-crossed');
    const claiming = await authCode(await makeOutsider('Crossed'));
    const client = await connect(service().testDatabase.connection);
    await client.query('begin');
    await client.query('select 1 from creator_account where account_id = $1 for no key update', [id]);
    const claim = link('main', { playerId: 'p-crossed', authCode: claiming });
    await until('the claim to wait', async () => {
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    await client.query(
      `insert into membership (publisher_id, membership_id, group_id, account_id, status)
       values ('rival', gen_random_uuid(), 'main', $1, 'Approved')`,
      [id],
    );
    await client.query('commit');
    const { status, body } = await claim;
    expect([status, body.code]).toEqual([400, 'PlayerAlreadyLinked']);
    expect((await byPlayer('p-crossed')).id).toBe(id);
  });

  test('either a link of an account by one publisher or a claim of it by another succeeds', async () => {
    const atRival = { key: keys().rival, at: other };
    for (const round of times(12, (each) => each)) {
      await generate('main', `p-cross-${round}`);
      const { id } = await byPlayer(`p-cross-${round}`);
      await linking.send('POST', '/members?groupId=main', { playerId: `p-cross-${round}` }, atRival);
      const [own, claiming] = [await authCode(id), await authCode(await makeOutsider(`Cross${round}`))];
      const [claim, self] = await Promise.all([
        link('main', { playerId: `p-cross-${round}`, authCode: claiming }),
        link('main', { playerId: `p-cross-${round}`, authCode: own }, atRival),
      ]);
      expect([
        [200, undefined, 400, 'AccountNotFound'],
        [400, 'PlayerAlreadyLinked', 200, undefined],
      ]).toContainEqual([claim.status, claim.body.code, self.status, self.body.code]);
    }
    expect(
      await query(sql`
        select m.membership_id
        from membership m
        join creator_account a using (account_id)
        where a.closed_at is not null and m.merged_into is null`),
    ).toEqual([]);
  });
});

test('a link whose connection dies changes nothing, and its code stays valid', async () => {
  const id = await makeMember('main', 'Dies');
  const code = await authCode(id);
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  await client.query("select 1 from publisher where publisher_id = 'aurora' for update");
  const dying = link('main', { playerId: 'p-dies', authCode: code });
  await killWaiting(linking.db());
  expect((await dying).status).toBe(503);
  await client.query('rollback');
  expect((await ask('/members/player/p-dies')).status).toBe(400);
  expect((await link('main', { playerId: 'p-dies', authCode: code })).status).toBe(200);
});

test('a link waits while a payout determines its cutoff, without blocking others', async () => {
  const code = await authCode(await makeMember('main', 'Waits'));
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(1954, hashtext('aurora'))");
  let isDone = false;
  const linking = link('main', { playerId: 'p-waits', authCode: code }).finally(() => {
    isDone = true;
  });
  await until('the link to wait', async () => {
    const { rows } = await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rows.length > 0;
  });
  await generate('main', 'p-meanwhile');
  expect(isDone).toBe(false);
  await client.query('rollback');
  expect((await linking).status).toBe(200);
});

test('a guessed code does not take locks or wait', async () => {
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  await client.query("select 1 from publisher where publisher_id = 'aurora' for update");
  await client.query('select 1 from creator_account for update');
  const { body } = await link('main', { playerId: 'p-1', authCode: 'ABCD-EFGH' });
  expect(body.code).toBe('InvalidAuthCode');
  await client.query('rollback');
});
