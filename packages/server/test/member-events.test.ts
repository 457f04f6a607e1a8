import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveMember } from '../src/members/change/approve-member.ts';
import { removeMember } from '../src/members/change/remove-member.ts';
import { toAccountId, toEndpointId } from '../src/platform/ids.ts';
import { replayDeliveries } from '../src/webhooks/delivery/read/replay-deliveries.ts';
import { removeEndpoint } from '../src/webhooks/endpoints/remove-endpoint.ts';
import { switchEndpoint } from '../src/webhooks/endpoints/switch-endpoint.ts';
import { defaultEventKinds, eventKinds } from '../src/webhooks/event-kinds.ts';
import { purchase } from './fixtures.ts';
import { testActor } from './test-actor.ts';
import { connect } from './test-database.ts';
import { isoTime, useToldEvents } from './told-events.ts';

const none = toEndpointId('');
const { db, query, record, send, get, keys, provisionGroup, service, told, add, endpoints } = useToldEvents();

const newMember = 'GroupManagement/NewMember';
const removedMember = 'GroupManagement/RemovedMember';

describe('members', () => {
  const members = (rest: string) => provisionGroup('main', `members: [ ${rest} ]`);

  test('a member of a program file is new when it is Approved, once, with its primary code', async () => {
    const eve =
      '{ id: acc_eve, name: Eve, logoImage: "https://a.example/eve.png", codes: [ { code: EVE-2 }, { code: EVE, primary: true } ] }';
    await members(eve);
    const event = { memberId: 'acc_eve', code: 'EVE', name: 'Eve', logoImage: 'https://a.example/eve.png' };
    expect(await told()).toEqual([[newMember, event]]);
    await members(eve);
    expect(await told(), 'the same file again').toEqual([]);
  });

  test('an event for a member without a code or image omits them', async () => {
    await members('{ id: acc_fay }');
    expect(await told()).toEqual([[newMember, { memberId: 'acc_fay', name: 'acc_fay' }]]);
  });

  test('a Pending member joins when approved; one that is removed before never joined', async () => {
    await members('{ id: acc_gus, name: Gus, status: Pending, codes: [ { code: GUS } ] }');
    expect(await told()).toEqual([]);
    await members('{ id: acc_gus, status: Removed }');
    expect(await told()).toEqual([]);
    await members('{ id: acc_gus, status: Pending }');
    await members('{ id: acc_gus, status: Approved }');
    expect(await told()).toEqual([[newMember, { memberId: 'acc_gus', code: 'GUS', name: 'Gus' }]]);
    await members('{ id: acc_gus, status: Pending }');
    expect(await told(), 'it is Approved no more').toMatchObject([[removedMember, { memberId: 'acc_gus' }]]);
  });

  test('a removal by a file has the file’s reason and time', async () => {
    await members('{ id: acc_hal, name: Hal, codes: [ { code: HAL } ] }');
    await told();
    const gone = '{ id: acc_hal, status: Removed, removalReason: "Left, by himself" }';
    await members(gone);
    expect(await told()).toEqual([
      [
        removedMember,
        { memberId: 'acc_hal', code: 'HAL', removalDate: isoTime, removalReason: 'Left, by himself' },
      ],
    ]);
    await members(gone);
    expect(await told()).toEqual([]);
  });

  test('a generated member is new once, however often it is requested at the same time', async () => {
    const generate = () =>
      send('POST', '/members', { playerId: 'p-gen', playerMetadata: { displayName: 'Gen' } });
    const answers = await Promise.all(Array.from({ length: 5 }, generate));
    const [{ code } = { code: '' }] = answers.map(({ body }) => body);
    expect(await told()).toEqual([
      [newMember, { memberId: expect.stringMatching(/^gen_/), code, name: 'Gen' }],
    ]);
  });

  test('approval and removal by command send one event each', async () => {
    const member = { publisherId: 'aurora', groupId: 'main', memberId: toAccountId('acc_pending') };
    const set = (status: 'Approved' | 'Removed', reason = '') =>
      status === 'Approved'
        ? approveMember(db(), testActor, member)
        : removeMember(db(), testActor, { ...member, reason });
    expect([await set('Approved'), await set('Approved')]).toEqual([true, false]);
    expect(await told()).toEqual([
      [newMember, { memberId: 'acc_pending', code: 'PENDING', name: 'acc_pending' }],
    ]);
    const both = await Promise.all([set('Removed', 'fraud'), set('Removed', 'fraud')]);
    expect(both.sort()).toEqual([false, true]);
    expect(await told()).toEqual([
      [
        removedMember,
        { memberId: 'acc_pending', code: 'PENDING', removalDate: isoTime, removalReason: 'fraud' },
      ],
    ]);
  });

  test('a rejected file sends no events for its valid part', async () => {
    await expect(
      members('{ id: acc_ivy, codes: [ { code: IVY } ] }, { id: acc_jan, playerId: p-1 }'),
    ).rejects.toThrow('playerId');
    expect(await told()).toEqual([]);
  });
});

describe('recipients', () => {
  const deliveriesOf = async (endpointId: string) =>
    query<{ kind: string }>(sql`
      select e.kind from webhook_delivery d join webhook_event e using (publisher_id, event_id)
      where d.endpoint_id = ${endpointId} order by event_id`);
  const all = async (): Promise<void> => {
    await provisionGroup('main', `members: [ { id: acc_who_${Math.random().toString(36).slice(2)} } ]`);
    expect((await record(purchase())).status).toBe(200);
  };

  test('an endpoint receives only the kinds it selected; by default, the contract’s three', async () => {
    expect(defaultEventKinds).toEqual(['Bounty/BountyReward', newMember, removedMember]);
    const members = await add(defaultEventKinds);
    const rows = await add(['Attribution/TransactionRecorded']);
    const payouts = await add(['Payout/PayoutPaid']);
    await all();
    expect(await deliveriesOf(members)).toEqual([{ kind: newMember }]);
    expect(await deliveriesOf(rows)).toEqual([{ kind: 'Attribution/TransactionRecorded' }]);
    expect(await deliveriesOf(payouts)).toEqual([]);
  });

  test('an event without a recipient is not written; a kind selected later is sent from then on', async () => {
    await removeEndpoint(db(), testActor, {
      publisherId: 'aurora',
      endpointId: endpoints().pop() ?? none,
    });
    await add(['Payout/PayoutPaid']);
    await all();
    expect(await told()).toEqual([]);
    await add(['Attribution/TransactionRecorded']);
    await all();
    expect((await told()).map(([kind]) => kind)).toEqual(['Attribution/TransactionRecorded']);
  });

  test('another publisher’s endpoint receives nothing', async () => {
    const rival = await add(eventKinds, 'rival');
    await all();
    expect(await deliveriesOf(rival)).toEqual([]);
    await record(purchase({ code: 'RIVAL' }), { key: keys().rival });
    const rows = await query<{ publisher_id: string }>(
      sql`select publisher_id from webhook_delivery where endpoint_id = ${rival}`,
    );
    expect(rows).toEqual([{ publisher_id: 'rival' }]);
    await removeEndpoint(db(), testActor, { publisherId: 'rival', endpointId: rival });
  });

  test('events for an endpoint that is off are stored, to be replayed', async () => {
    const [endpointId = none] = endpoints();
    await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: false });
    const [moment] = await query<{ at: Date }>(sql`select now() as at`);
    await all();
    expect(await deliveriesOf(endpointId)).toEqual([]);
    await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: true });
    const since = moment?.at ?? new Date();
    const replay = { publisherId: 'aurora', since, all: false };
    expect(await replayDeliveries(db(), testActor, replay)).toMatchObject({ replayed: 2 });
    expect(await deliveriesOf(endpointId)).toHaveLength(2);
  });

  test('a commit that fails at its end leaves no rows or events behind', async () => {
    const admin = await connect(service().testDatabase.adminConnection);
    await admin.query(
      `alter table webhook_delivery add constraint no_more check (endpoint_id = 'none') not valid`,
    );
    const sent = purchase();
    try {
      const { status } = await fetch(`${service().url}/v1/attributions/transactions`, {
        method: 'POST',
        headers: { 'x-shared-secret': keys().backend, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
      expect(status).toBe(500);
    } finally {
      await admin.query('alter table webhook_delivery drop constraint no_more');
    }
    expect((await get(sent.transactionId)).status).toBe(404);
    expect(await told()).toEqual([]);
  });
});
