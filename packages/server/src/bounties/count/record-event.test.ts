import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, purchases, useBounties } from '../../../test/bounties.ts';
import { type CallOptions, startService, type TestService } from '../../../test/test-service.ts';

const at = useBounties();
const { define, standing, group, check } = at;
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: at.service() });
});
afterAll(() => other.close());

let events = 0;
const event = (changes: Record<string, unknown> = {}) => {
  events += 1;
  return { eventId: `e-${events}`, eventCode: 'level-10', code: 'M-A', playerId: 'player-1', ...changes };
};
const send = (
  json: unknown,
  options: CallOptions & { at?: TestService } = {},
  query = `?groupId=${group()}`,
) => at.bounties('POST', `/events${query}`, { json, ...options });
const refusal = async (json: unknown, options?: CallOptions, query?: string) => {
  const { status, body } = await send(json, options, query);
  return `${status} ${body.code}`;
};
const countEvents = () => at.number(sql`select count(*) as n from bounty_event`);

describe('an event', () => {
  test('is recorded, counted and returned, by code in any case or by account id', async () => {
    const id = await define({ objectives: [eventsOf('level-10', 3), purchases(1)] });
    at.setNow('2026-03-01T10:00:00.000Z');
    const first = event({ code: 'm-a' });
    const answer = await send(first);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        eventId: first.eventId,
        eventCode: 'level-10',
        memberId: at.memberId('A'),
        playerId: 'player-1',
        occurredAt: '2026-03-01T10:00:00.000Z',
      },
    ]);
    expect(await standing(id)).toBe('0/1,0');
    const occurredAt = '2026-02-01T01:00:00+01:00';
    const { code: _, ...second } = event({ memberId: at.memberId('A'), occurredAt, unknown: 1 });
    expect((await send(second)).body.occurredAt).toBe('2026-02-01T00:00:00.000Z');
    await send(event());
    await send(event({ code: 'M-B' }));
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/3,0', '0/1,0']);
    await at.earn(group(), 'A', 1);
    expect(await at.settleAndCheck()).toBe(1);
    expect(await at.events(id)).toHaveLength(1);
  });

  test('counts by its time for every bounty of the group with its event code', async () => {
    const window = { startsAt: '2024-01-01T00:00:00Z', endsAt: '2025-01-01T00:00:00Z', limit: 2 };
    const one = await define({ ...window, objectives: [eventsOf('level-10', 5), eventsOf('level-11', 5)] });
    const two = await define({ objectives: [eventsOf('level-10', 5)] });
    for (const occurredAt of [
      '2023-12-31T23:59:59.999Z',
      '2024-01-01T00:00:00Z',
      '2024-12-31T23:59:59.999Z',
      '2025-01-01T00:00:00Z',
    ])
      expect((await send(event({ occurredAt }))).status).toBe(200);
    expect([await standing(one), await standing(two)]).toEqual(['0/2,0', '0/3']);
  });

  test("of another group isn't returned to a scoped key, which can't record there either", async () => {
    await define({ objectives: [eventsOf('level-10', 5)] });
    await define({ objectives: [eventsOf('level-10', 5)] }, 'moba');
    const ours = event();
    expect((await send(ours)).status).toBe(200);
    const before = await countEvents();
    const scoped = await send({ ...ours, code: 'MOBA-AL' }, { key: at.keys().moba });
    expect([scoped.status, scoped.body.code]).toEqual([409, 'Conflict']);
    expect(scoped.text).not.toContain(at.memberId('A'));
    expect(await countEvents()).toBe(before);
    const theirs = event({ code: 'MOBA-AL' });
    const first = await send(theirs, { key: at.keys().moba });
    expect(first.status).toBe(200);
    expect((await send(theirs, { key: at.keys().moba })).body, 'its own event is returned again').toEqual(
      first.body,
    );
    expect((await send({ ...theirs, code: 'M-A' })).body, 'to a key of the whole publisher too').toEqual(
      first.body,
    );
  });

  test('is recorded once, even when the same id is sent fifty times at once with different content', async () => {
    const id = await define({ limit: null, objectives: [eventsOf('level-10', 1), eventsOf('level-11', 1)] });
    const first = event({ occurredAt: longAgo });
    const { body } = await send(first);
    const changed = {
      ...first,
      code: 'M-B',
      eventCode: 'level-11',
      playerId: 'x',
      occurredAt: '2025-01-01T00:00:00Z',
    };
    for (const again of [
      first,
      changed,
      { ...first, eventCode: 'nonsense' },
      { ...first, code: 'UNKNOWN' },
    ]) {
      const answer = await send(again);
      expect([answer.status, answer.body]).toEqual([200, body]);
    }
    expect(await standing(id)).toBe('0/1,0');
    const before = await countEvents();
    const raced = event();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(
          { ...raced, playerId: `p-${index}`, code: index % 3 ? 'M-A' : 'M-B' },
          index % 2 ? { at: other } : {},
        ),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countEvents()).toBe(before + 1n);
    const counted = await at.number(sql`
      select count(*) as n from bounty_contribution where source_id = ${raced.eventId}`);
    expect(counted).toBe(1n);
  });

  test('from before its bounty was defined counts if another bounty already had its event code', async () => {
    await define({ objectives: [eventsOf('early', 9)] });
    await send(event({ eventCode: 'early' }));
    const id = await define({ objectives: [eventsOf('early', 1)] });
    expect(await standing(id)).toBe('0/1');
    expect(await check()).toBe(1);
  });
});

const longAgo = '2024-05-01T12:00:00.000Z';

describe('rejects', () => {
  test('an eventCode that no objective of the group has, including in another case or group', async () => {
    await define({ objectives: [eventsOf('level-10', 1)] });
    expect(await refusal(event({ eventCode: 'level-9' }))).toBe('400 InvalidEventCode');
    expect(await refusal(event({ eventCode: 'LEVEL-10' }))).toBe('400 InvalidEventCode');
    expect(await refusal(event({ code: 'ALICE' }), {}, '')).toBe('400 InvalidEventCode');
  });

  test('a code or account that is not of an approved member of the group', async () => {
    await define({ objectives: [eventsOf('level-10', 1)] });
    const before = await countEvents();
    expect(await refusal(event({ code: 'UNKNOWN' }))).toBe('400 CodeNotInGroup');
    expect(await refusal(event({ code: 'RIVAL' }))).toBe('400 CodeNotInGroup');
    for (const memberId of ['acc_alice', 'acc_rival', 'unknown', "'"]) {
      const { code: _, ...sent } = event({ memberId });
      expect(await refusal(sent), memberId).toBe('400 MemberNotFound');
    }
    await at.provisionGroup(group(), `members: [ { id: ${at.memberId('A')}, status: Removed } ]`);
    const { code: _, ...sent } = event({ memberId: at.memberId('A') });
    expect(await refusal(sent)).toBe('400 MemberNotFound');
    expect(await refusal(event())).toBe('400 CodeNotInGroup');
    expect(await countEvents()).toBe(before);
  });

  test('an unknown group, and keys without the permission', async () => {
    expect(await refusal(event(), {}, '?groupId=nowhere')).toBe('400 InvalidGroup');
    expect(await refusal(event(), { key: at.keys().client })).toBe('403 Forbidden');
    expect(await refusal(event(), { key: null })).toBe('401 Unauthorized');
    await define({ objectives: [eventsOf('level-10', 1)] });
    // A scoped key uses its own group.
    expect(await refusal(event(), { key: at.keys().moba })).toBe('400 CodeNotInGroup');
    expect(await refusal(event(), { key: at.keys().rival }, '')).toBe('400 CodeNotInGroup');
  });

  test.each([
    ['no eventId', { eventId: undefined }],
    ['an empty eventId', { eventId: '' }],
    ['a long eventId', { eventId: 'x'.repeat(256) }],
    ['a number as eventId', { eventId: 5 }],
    ['no eventCode', { eventCode: undefined }],
    ['null as eventCode', { eventCode: null }],
    ['neither code nor memberId', { code: undefined }],
    ['both code and memberId', { memberId: 'acc_alice' }],
    ['no playerId', { playerId: undefined }],
    ['a playerId with U+0000', { playerId: 'a\u0000' }],
    ['a day as occurredAt', { occurredAt: '2026-01-01' }],
    ['a time without a zone', { occurredAt: '2026-01-01T00:00:00' }],
    ['a time as a number', { occurredAt: 0 }],
  ])('%s', async (_what, changes) => {
    await define({ objectives: [eventsOf('level-10', 1)] });
    const before = await countEvents();
    expect(await refusal(event(changes))).toBe('400 InvalidInput');
    expect(await countEvents()).toBe(before);
  });

  test('a list and a form', async () => {
    expect(await refusal([event()])).toBe('400 InvalidInput');
    const { status } = await at.bounties('POST', '/events', { form: { eventId: 'e' } });
    expect(status).toBe(415);
  });
});

test('two publishers can use the same eventId', async () => {
  await define({ objectives: [eventsOf('level-10', 1)] });
  const mine = event();
  expect((await send(mine)).status).toBe(200);
  await at.service().provision(`
publisher: { id: rival }
groups:
  - id: main
    bounties:
      - { id: bounty-1, name: R, startsAt: 2024-01-01T00:00:00Z, objectives: [ { name: e, type: Event, eventCode: level-10, count: 1 } ], rewards: [ { name: r, type: External } ] }`);
  const { status, body } = await send({ ...mine, code: 'RIVAL' }, { key: at.keys().rival }, '');
  expect([status, body.memberId]).toEqual([200, 'acc_rival']);
});
