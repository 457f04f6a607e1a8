import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { approveMember } from '../src/members/change/approve-member.ts';
import { removeMember } from '../src/members/change/remove-member.ts';
import type { EndpointId } from '../src/platform/database/tables.generated.ts';
import { toAccountId, toEndpointId } from '../src/platform/ids.ts';
import { changeEndpoint } from '../src/webhooks/endpoints/change-endpoint.ts';
import { removeEndpoint } from '../src/webhooks/endpoints/remove-endpoint.ts';
import { switchEndpoint } from '../src/webhooks/endpoints/switch-endpoint.ts';
import { addEndpoint } from './endpoints.ts';
import { auroraProgram, purchase, rivalProgram } from './fixtures.ts';
import { useLinking } from './linking.ts';
import { testActor } from './test-actor.ts';
import { connect } from './test-database.ts';

const linking = useLinking({ environment: { LINK_MISSES_PER_MINUTE: '10000' } });
const { service, db, ask, send, record, generate, link, linked, authCode, makeMember, makeOutsider } =
  linking;

const version = async (publisherId: string): Promise<bigint> => {
  const { programme_version } = await db()
    .selectFrom('publisher')
    .select('programme_version')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  return programme_version;
};

/** Returns the publishers whose versions the given work incremented. */
async function moved(work: () => Promise<unknown>): Promise<string[]> {
  const publishers = ['aurora', 'rival'];
  const before = await Promise.all(publishers.map(version));
  await work();
  const after = await Promise.all(publishers.map(version));
  return publishers.filter((_, index) => before[index] !== after[index]);
}

const apply = (group: string, publisher = 'aurora') =>
  service().provision(`{ publisher: { id: ${publisher} }, groups: [ ${group} ] }`);

describe('changes outside the cache don’t increment the version', () => {
  let endpointId: EndpointId;
  beforeAll(async () => {
    await generate('main', 'there');
    const added = await addEndpoint(db(), 'aurora', 'https://aurora.example/hook', [
      'Attribution/TransactionRecorded',
    ]);
    endpointId = added.endpointId;
  });
  const everything = `
publisher: { id: aurora, name: Aurora Games }
groups:
  - id: main
    name: Aurora Creators
    default: true
    revShare: 10
    codeTTLInDays: 30
    holdDays: 14
    payoutMinimums: { USD: 1000, JPY: 5000 }
    disabledCurrencies: [BTC, ISK]
    tiers: [ { name: Bronze, revShare: 15 } ]
    skuRevShares: [ { skuId: pass, revShare: 7 } ]
    schedules: [ { startDate: 2040-01-01T00:00:00Z, endDate: 2041-01-01T00:00:00Z, revShare: 12 } ]
    bounties: [ { name: First, startsAt: 2040-01-01T00:00:00Z, objectives: [ { name: one, type: Purchase, count: 1 } ], rewards: [ { name: r, type: External } ] } ]
    members:
      - { id: acc_full, name: Full, logoImage: "https://a.example/l.png", playerId: p-full, visible: false, tier: Bronze, status: Approved,
          playerMetadata: { displayName: Full, deep: { b: 1, a: [2] } }, identities: [ { provider: twitch, id: "77" } ],
          codes: [ { code: FULL, primary: true }, { code: FULL-2, managed: true, generated: true, group: main }, { code: FULL-3, approved: false } ] }
      - { id: acc_none, playerId: p-none, tier: null, codes: [ { code: NONE-1 }, { code: NONE-2, group: main } ] }
`;

  const ofMain = { publisherId: 'aurora', groupId: 'main' };

  test.each<[string, () => Promise<unknown>]>([
    ['a member generated again', () => generate('main', 'there')],
    ['a new member', () => generate('main', 'somebody-new')],
    [
      'a member approved who is it already',
      () => approveMember(db(), testActor, { ...ofMain, memberId: toAccountId('acc_bob') }),
    ],
    [
      'a member removed who is it already',
      () =>
        removeMember(db(), testActor, {
          ...ofMain,
          memberId: toAccountId('acc_removed'),
          reason: 'x',
        }),
    ],
    [
      'an endpoint switched off',
      () => switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: false }),
    ],
    [
      'an endpoint switched on',
      () => switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: true }),
    ],
    [
      'an endpoint moved',
      () =>
        changeEndpoint({ db: db(), allowPrivateTargets: true }, testActor, {
          publisherId: 'aurora',
          endpointId,
          url: 'https://aurora.example/other',
        }),
    ],
    [
      'a second endpoint, added and removed',
      async () => {
        const second = await addEndpoint(db(), 'aurora', 'https://b.example', [
          'Attribution/TransactionRecorded',
        ]);
        await removeEndpoint(db(), testActor, { publisherId: 'aurora', endpointId: second.endpointId });
      },
    ],
    ['an auth code that does not exist', () => link('main', { playerId: 'p', authCode: 'WRONG-CODE' })],
    ['a link that fails', async () => link('main', { playerId: 'p-1', authCode: await authCode('acc_bob') })],
  ])('%s', async (_what, work) => {
    expect(await moved(work)).toEqual([]);
  });

  test('any program file applied again', async () => {
    const demo = readFileSync(new URL('../../../examples/demo-program.yaml', import.meta.url), 'utf8');
    for (const [index, file] of [auroraProgram, rivalProgram, everything, demo].entries()) {
      await service().provision(file);
      expect([index, await moved(() => service().provision(file))]).toEqual([index, []]);
    }
  });

  test('a renamed publisher', async () => {
    const name = () => service().provision('publisher: { id: aurora, name: Aurora Renamed }');
    expect(await moved(name)).toEqual([]);
  });

  test('a member linked again without a change', async () => {
    const id = await makeMember('main', 'Linked');
    const more = { displayName: 'L' };
    expect(await moved(() => linked('main', id, 'p-linked', more))).toEqual(['aurora']);
    expect(await moved(() => linked('main', id, 'p-linked', more))).toEqual([]);
    expect(await moved(() => linked('main', id, 'p-linked'))).toEqual([]);
  });
});

describe('all other changes increment it', () => {
  test.each([
    ['a share', '{ id: main, revShare: 11 }'],
    ['a name', '{ id: main, name: Other }'],
    ['the default', '{ id: moba, default: true }'],
    ['a currency', '{ id: main, disabledCurrencies: [] }'],
    ['a tier', '{ id: main, tiers: [ { name: Gold, revShare: 21 } ] }'],
    ['a SKU', '{ id: main, skuRevShares: [ { skuId: battle-pass, revShare: 6 } ] }'],
    ['a new SKU', '{ id: main, skuRevShares: [ { skuId: brand-new, revShare: 0 } ] }'],
    ['a playerId', '{ id: main, members: [ { id: acc_bob, playerId: p-bob } ] }'],
    ['metadata', '{ id: main, members: [ { id: acc_bob, playerMetadata: { displayName: B } } ] }'],
    ["a member's tier", '{ id: main, members: [ { id: acc_bob, tier: Gold } ] }'],
    ['a status', '{ id: main, members: [ { id: acc_bob, status: Removed } ] }'],
    ['a code', '{ id: main, members: [ { id: acc_bob, codes: [ { code: BOB-2 } ] } ] }'],
    ['an approval', '{ id: main, members: [ { id: acc_bob, codes: [ { code: BOB, approved: false } ] } ] }'],
    [
      'a primary code',
      '{ id: main, members: [ { id: acc_bob, codes: [ { code: BOB-2, primary: true } ] } ] }',
    ],
    ['an account', '{ id: main, members: [ { id: acc_bob, name: Robert } ] }'],
    ['an identity', '{ id: main, members: [ { id: acc_bob, identities: [ { provider: x, id: "1" } ] } ] }'],
    ['a member', '{ id: main, members: [ { id: acc_new } ] }'],
    ['a group', '{ id: third, revShare: 1 }'],
  ])('%s', async (_what, group) => {
    expect(await moved(() => apply(group))).toEqual(['aurora']);
  });

  test('the first endpoint that selects recorded rows, and the last one removed', async () => {
    const url = 'https://r.example';
    const add = (kind: 'GroupManagement/NewMember' | 'Attribution/TransactionRecorded') =>
      addEndpoint(db(), 'rival', url, [kind]);
    expect(await moved(() => add('GroupManagement/NewMember'))).toEqual([]);
    let endpointId = toEndpointId('');
    const added = moved(async () => {
      endpointId = (await add('Attribution/TransactionRecorded')).endpointId;
    });
    expect(await added).toEqual(['rival']);
    expect(await moved(() => removeEndpoint(db(), testActor, { publisherId: 'rival', endpointId }))).toEqual([
      'rival',
    ]);
  });

  test('at every publisher, if it concerns an account that is a member there', async () => {
    const id = await makeOutsider('Everywhere');
    await generate('main', 'p-everywhere');
    await linked('main', id, 'p-everywhere');
    const rename = '{ id: main, members: [ { id: acc_Everywhere, codes: [ { code: EVERYWHERE-2 } ] } ] }';
    expect(await moved(() => apply(rename, 'rival'))).toEqual(['aurora', 'rival']);
    const visible = '{ id: main, members: [ { id: acc_Everywhere, visible: false } ] }';
    expect(await moved(() => apply(visible, 'rival'))).toEqual(['rival']);
  });
});

test('a slow change does not delay purchases, lookups or other publishers', async () => {
  const locks = await connect(service().testDatabase.connection);
  try {
    // Holds the lock, as applying a large program file does until its commit.
    await locks.query("begin; select pg_advisory_xact_lock(1956, hashtext('aurora'))");
    expect((await record(purchase())).status).toBe(200);
    expect((await ask('/members/ALICE')).status).toBe(200);
    expect((await send('POST', '/members?groupId=main', { playerId: 'there' })).status).toBe(200);
    await apply(
      '{ id: main, members: [ { id: acc_Everywhere, codes: [ { code: EVERYWHERE-3 } ] } ] }',
      'rival',
    );
  } finally {
    await locks.query('rollback');
  }
});
