import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { idsOf } from '../../test/transactions.ts';

const linking = useLinking({ environment: { LINK_MISSES_PER_MINUTE: '10000' } });
const { service, keys, ask, linked, generate, makeMember, makeOutsider, makeEmptyGroup } = linking;
const { provisionGroup, query, earn, list } = linking;

const byPlayer = async (playerId: string, groupId = 'main') =>
  (await ask(`/members/player/${playerId}?groupId=${groupId}`)).body;
const memberships = (accountId: string) =>
  query(sql<{
    group_id: string;
    status: string;
    player_id: string | null;
    is_merged: boolean;
    removal_reason: string | null;
  }>`
    select group_id, status, player_id, merged_into is not null as is_merged, removal_reason
    from membership
    where account_id = ${accountId}
    order by group_id`);
const listed = async (group: string, filter: string): Promise<string[]> => {
  const answer = await list(`groupId=${group}&sort=transactionDate:asc&${filter}`);
  expect(answer.status).toBe(200);
  return idsOf(answer);
};

beforeAll(() => provisionGroup('main', 'tiers: [ { name: Silver, revShare: 15 } ]'));

describe('a claimed member whose claimer is not a member of the group', () => {
  test('keeps its codes, no longer managed, and gets the account that claimed it', async () => {
    const code = await generate('main', 'p-move', { playerMetadata: { displayName: 'Nia', rank: 7 } });
    const before = await byPlayer('p-move');
    const id = await makeOutsider('Nia');
    const answer = await linked('main', id, 'p-move');
    const codes = [
      { code: 'Nia', isPrimary: true, isGenerated: false, isManaged: false },
      { code, isPrimary: false, isGenerated: true, isManaged: false },
    ];
    expect(answer).toEqual({ groupId: 'main', groupName: 'Aurora Creators', id, playerId: 'p-move', codes });
    expect(await byPlayer('p-move')).toEqual({ ...before, id, name: 'Nia', codes });
    expect((await ask(`/members/${code.toLowerCase()}`)).body.id).toBe(id);
    expect((await ask('/members/Nia')).body.id).toBe(id);
    expect((await ask(`/members/id/${before.id}`)).body.code).toBe('CodeNotInGroup');
    expect(await memberships(before.id)).toEqual([]);
  });

  test('is found with its history by its old account, and by every account that claimed it', async () => {
    const group = 'moved';
    await makeEmptyGroup(group);
    const code = await generate(group, 'p-moved');
    const { id: oldId } = await byPlayer('p-moved', group);
    const row = await earn(group, 'A', 5, { code });
    const id = await makeOutsider('Mova');
    await linked(group, id, 'p-moved');
    for (const filter of [`memberId=${oldId}`, `memberId=${id}`, 'playerId=p-moved', `code=${code}`])
      expect([filter, await listed(group, filter)]).toEqual([filter, [row.transactionId]]);
    expect((await list(`groupId=main&memberId=${oldId}`)).body.code).toBe('MemberNotFound');

    await provisionGroup(
      group,
      'members: [ { id: acc_between, codes: [ { code: BETWEEN, managed: true, group: moved } ] } ]',
    );
    const second = await generate(group, 'p-chained');
    const { id: secondId } = await byPlayer('p-chained', group);
    const chained = await earn(group, 'A', 5, { code: second });
    await linked(group, 'acc_between', 'p-chained');
    // The publisher manages both codes again.
    await query(sql`update group_code set is_managed = true where group_id = ${group}`);
    const last = await makeOutsider('Lasta');
    await linked(group, last, 'p-chained');
    for (const filter of [`memberId=${secondId}`, 'memberId=acc_between', `memberId=${last}`])
      expect([filter, await listed(group, filter)]).toEqual([filter, [chained.transactionId]]);
    expect(
      await query(sql`
        select account_id, claimed_by from creator_account
        where account_id in (${secondId}, 'acc_between')
        order by account_id`),
    ).toEqual([
      { account_id: 'acc_between', claimed_by: last },
      { account_id: secondId, claimed_by: last },
    ]);
  });

  test("has its claimer's primary code returned by generate", async () => {
    await generate('main', 'p-generated');
    await linked('main', await makeOutsider('Gena'), 'p-generated');
    expect(await generate('main', 'p-generated')).toBe('Gena');
  });

  test('keeps its own code as primary when the claimer has none', async () => {
    const code = await generate('main', 'p-primary');
    await service().provision(
      '{ publisher: { id: rival }, groups: [ { id: main, members: [ { id: acc_bare, name: Bare } ] } ] }',
    );
    expect((await linked('main', 'acc_bare', 'p-primary')).codes).toEqual([
      { code, isPrimary: true, isGenerated: true, isManaged: false },
    ]);
  });

  test('stays Pending', async () => {
    await provisionGroup(
      'main',
      'members: [ { id: acc_m_pending, playerId: p-m-pending, status: Pending, codes: [ { code: M-PEND, managed: true } ] } ]',
    );
    const id = await makeOutsider('Penny');
    expect((await linked('main', id, 'p-m-pending')).id).toBe(id);
    expect((await ask('/members/M-PEND')).body.code).toBe('CodeNotInGroup');
    expect(await memberships(id)).toContainEqual(
      expect.objectContaining({ group_id: 'main', status: 'Pending' }),
    );
  });

  test('can have an unapproved code, which stays unapproved', async () => {
    await provisionGroup(
      'main',
      'members: [ { id: acc_unheard, playerId: p-unheard, codes: [ { code: UNHEARD, managed: true, approved: false } ] } ]',
    );
    const id = await makeOutsider('Unher');
    expect((await linked('main', id, 'p-unheard')).id).toBe(id);
    expect((await ask('/members/UNHEARD')).body.code).toBe('CodeNotInGroup');
    expect(
      await query(sql`select account_id, is_managed, is_approved from global_code where code = 'UNHEARD'`),
    ).toEqual([{ account_id: id, is_managed: false, is_approved: false }]);
  });

  test('moves in all groups of the publisher', async () => {
    for (const group of ['main', 'moba']) {
      await provisionGroup(
        group,
        `members: [ { id: acc_everywhere, playerId: p-ev-${group}, codes: [ { code: EV, managed: true }, { code: EV-${group}, managed: true, group: ${group} } ], identities: [ { provider: twitch, id: "ev" } ] } ]`,
      );
    }
    const id = await makeOutsider('Eve');
    await linked('moba', id, 'p-ev-moba');
    for (const group of ['main', 'moba']) {
      const member = await byPlayer(`p-ev-${group}`, group);
      expect([member.id, member.codes.map((each: { code: string }) => each.code)]).toEqual([
        id,
        ['Eve', 'EV', `EV-${group}`],
      ]);
      expect(member.codes.map((each: { isManaged: boolean }) => each.isManaged)).toEqual([
        false,
        false,
        false,
      ]);
    }
    const [{ transactionId }] = [await earn('main', 'A', 5, { code: 'EV' })];
    expect(await listed('main', 'providerId=ev')).toEqual([transactionId]);
  });

  test("brings its global codes to the claimer's other groups and publishers, at once", async () => {
    await provisionGroup(
      'main',
      'members: [ { id: acc_traveller, playerId: p-travel, codes: [ { code: TRAVEL, managed: true } ] } ]',
    );
    const id = await makeOutsider('Tara');
    const ofRival = { key: keys().rival };
    expect((await ask('/members/Tara', ofRival)).body.codes).toHaveLength(1);
    await linked('main', id, 'p-travel');
    expect((await ask('/members/TRAVEL', ofRival)).body.id).toBe(id);
    await expect
      .poll(async () => (await ask('/members/Tara', ofRival)).body.codes.length, { timeout: 10_000 })
      .toBe(2);
  });

  test('shows changes of its account by one publisher to the other within five seconds', async () => {
    await generate('main', 'p-shared');
    await linked('main', await makeOutsider('Shared'), 'p-shared');
    expect((await ask('/members/Shared')).status).toBe(200);
    await service().provision(
      '{ publisher: { id: rival }, groups: [ { id: main, members: [ { id: acc_Shared, codes: [ { code: Shared, approved: false } ] } ] } ] }',
    );
    await expect
      .poll(async () => (await ask('/members/Shared')).body.code, { timeout: 10_000 })
      .toBe('CodeNotInGroup');
  });
});

describe('a claimed member whose claimer is a member of the group', () => {
  test('merges into the claimer, who is listed and counted once', async () => {
    const group = 'once';
    await makeEmptyGroup(group, 'tiers: [ { name: Silver, revShare: 15 } ],');
    const code = await generate(group, 'p-once');
    const { id: oldId } = await byPlayer('p-once', group);
    await provisionGroup(group, `members: [ { id: ${oldId}, tier: Silver } ]`);
    const id = await makeMember(group, 'Once');
    const count = async () => {
      const { body } = await ask(`/members?groupId=${group}`);
      const tiers = (await ask(`/tiers?groupId=${group}`)).body.groupTiers;
      return [body.totalCount, body.members.length, tiers[0].memberCount];
    };
    expect(await count()).toEqual([2, 2, 1]);
    const answer = await linked(group, id, 'p-once');
    expect(answer).toMatchObject({ id, playerId: 'p-once' });
    expect(answer.codes).toEqual([
      { code: 'Once', isPrimary: true, isGenerated: false, isManaged: false },
      { code, isPrimary: false, isGenerated: true, isManaged: false },
    ]);
    expect(await count()).toEqual([1, 1, 1]);
    const [tier] = (await ask(`/tiers?groupId=${group}`)).body.groupTiers;
    expect((await ask(`/tiers/${tier.id}?groupId=${group}`)).body.members).toMatchObject([{ id }]);
    expect(await memberships(oldId)).toEqual([
      {
        group_id: group,
        status: 'Removed',
        player_id: 'p-once',
        is_merged: true,
        removal_reason: 'Claimed by a creator',
      },
    ]);
    expect(await generate(group, 'p-once')).toBe('Once');
  });

  test('is found with its history by every filter, before and after', async () => {
    const group = 'history';
    await makeEmptyGroup(group);
    const code = await generate(group, 'p-hist');
    const { id: oldId } = await byPlayer('p-hist', group);
    const id = await makeMember(group, 'Hista', 'identities: [ { provider: steam, id: "hist" } ]');
    const at = (day: number) => ({ transactionDate: `2024-05-0${day}T12:00:00.000Z` });
    const theirs = await earn(group, 'A', 5, { code, ...at(1) });
    const own = await earn(group, 'A', 6, { code: 'Hista', ...at(2) });
    for (const filter of ['playerId=p-hist', `memberId=${oldId}`, `code=${code}`])
      expect([filter, await listed(group, filter)]).toEqual([filter, [theirs.transactionId]]);
    expect(await listed(group, `memberId=${id}`)).toEqual([own.transactionId]);

    await linked(group, id, 'p-hist');
    const after = await earn(group, 'A', 7, { code, ...at(3) });
    const all = [theirs, own, after].map(({ transactionId }) => transactionId);
    for (const filter of [
      'playerId=p-hist',
      `memberId=${id}`,
      `memberId=${oldId}`,
      'providerId=hist',
      `code=${code}`,
      'code=hista',
    ]) {
      expect([filter, await listed(group, filter)]).toEqual([filter, all]);
      expect([filter, await listed(group, `${filter}&page=1&pageSize=2`)]).toEqual([filter, all.slice(0, 2)]);
    }
    expect(await listed(group, `code=${code}&codeScope=code`)).toEqual(
      [theirs, after].map((each) => each.transactionId),
    );
    for (const { transactionId } of [theirs, own, after]) {
      const { body } = await linking.get(transactionId);
      expect(body[0].transaction.memberPlayerId).toBe('p-hist');
    }
  });

  test.each([
    ['Approved', 'Approved', 'Approved'],
    ['Approved', 'Pending', 'Approved'],
    ['Pending', 'Approved', 'Approved'],
    ['Pending', 'Pending', 'Pending'],
    ['Removed', 'Approved', 'Approved'],
    ['Removed', 'Pending', 'Pending'],
  ])('with own status %s and claimed status %s is %s', async (own, claimed, merged) => {
    const name = `S-${own}-${claimed}`;
    const group = name;
    await makeEmptyGroup(group);
    await provisionGroup(
      group,
      `members: [ { id: acc_c${name}, playerId: p-${name}, status: ${claimed}, codes: [ { code: c${name}, managed: true } ] } ]`,
    );
    const id = await makeMember(group, name, `status: ${own}`);
    expect((await linked(group, id, `p-${name}`)).id).toBe(id);
    expect(await memberships(id)).toEqual([
      { group_id: group, status: merged, player_id: `p-${name}`, is_merged: false, removal_reason: null },
    ]);
    expect((await ask(`/members/c${name}?groupId=${group}`)).status).toBe(merged === 'Approved' ? 200 : 400);
  });

  test('restores a Removed claimer with the claimed playerId, even if its own playerId is taken', async () => {
    const group = 'back';
    await makeEmptyGroup(group);
    const id = await makeMember(group, 'Back', 'playerId: p-back-old, visible: false');
    const row = await earn(group, 'A', 5, { code: 'Back' });
    await makeMember(group, 'Back', 'status: Removed');
    await makeMember(group, 'Newer', 'playerId: p-back-old');
    await generate(group, 'p-back');
    expect((await linked(group, id, 'p-back')).playerId).toBe('p-back');
    expect((await byPlayer('p-back', group)).id).toBe(id);
    expect((await byPlayer('p-back-old', group)).id).toBe('acc_Newer');
    const { members } = (await ask(`/members?groupId=${group}`)).body;
    expect(members.map((each: { id: string }) => each.id)).toContain(id);
    const newer = await earn(group, 'A', 6, { code: 'Newer' });
    expect(await listed(group, 'playerId=p-back')).toEqual([row.transactionId]);
    expect(await listed(group, 'playerId=p-back-old')).toEqual([row.transactionId, newer.transactionId]);
  });

  test('keeps its own tier and metadata, or takes the claimed ones if it has none', async () => {
    const group = 'takes';
    await makeEmptyGroup(group, 'tiers: [ { name: One, revShare: 15 }, { name: Two, revShare: 25 } ],');
    for (const [name, tier, metadata] of [
      ['has', 'tier: Two,', 'playerMetadata: { displayName: Own },'],
      ['lacks', '', ''],
    ]) {
      await provisionGroup(
        group,
        `members: [ { id: acc_t${name}, playerId: p-t${name}, tier: One, playerMetadata: { displayName: Theirs, rank: 1 }, codes: [ { code: t${name}, managed: true } ] } ]`,
      );
      const id = await makeMember(group, `T-${name}`, `${tier} ${metadata}`);
      await linked(group, id, `p-t${name}`);
    }
    expect((await byPlayer('p-thas', group)).playerMetadata).toEqual({ displayName: 'Own' });
    expect((await byPlayer('p-tlacks', group)).playerMetadata).toEqual({ displayName: 'Theirs', rank: 1 });
    const { groupTiers } = (await ask(`/tiers?groupId=${group}`)).body;
    expect(groupTiers.map((each: { memberCount: number }) => each.memberCount)).toEqual([1, 1]);
  });

  test('keeps the playerId of another group, where both playerIds find it', async () => {
    for (const group of ['two-a', 'two-b']) {
      await makeEmptyGroup(group);
      await provisionGroup(
        group,
        `members: [ { id: acc_two, playerId: p-${group}, codes: [ { code: TWO, managed: true } ] } ]`,
      );
    }
    const id = await makeMember('two-b', 'Twosome', 'playerId: p-own');
    const row = await earn('two-b', 'A', 5, { code: 'TWO' });
    await linked('two-a', id, 'p-two-a');
    for (const filter of ['playerId=p-own', 'playerId=p-two-b', 'memberId=acc_two', 'code=TWO'])
      expect([filter, await listed('two-b', filter)]).toEqual([filter, [row.transactionId]]);
    const [shown] = (await linking.get(row.transactionId)).body;
    expect(shown.transaction.memberPlayerId).toBe('p-own');
    expect((await byPlayer('p-own', 'two-b')).codes.map((each: { code: string }) => each.code)).toEqual([
      'Twosome',
      'TWO',
    ]);
    expect(await generate('two-b', 'p-two-b'), 'the player still has a member').toBe('Twosome');
    expect((await byPlayer('p-two-b', 'two-b')).code).toBe('PlayerNotInGroup');
    await makeMember('two-b', 'Successor', 'playerId: p-two-b');
    expect(await generate('two-b', 'p-two-b'), 'until another member has the playerId').toBe('Successor');
  });

  test('points directly to the last claimer after a chain of claims', async () => {
    const group = 'chain';
    await makeEmptyGroup(group);
    const managed = (name: string, rest = '') =>
      provisionGroup(
        group,
        `members: [ { id: acc_${name}, name: ${name}, codes: [ { code: ${name}, managed: true } ], ${rest} } ]`,
      );
    await managed('first', 'playerId: p-first');
    await managed('second');
    const row = await earn(group, 'A', 5, { code: 'first' });
    await linked(group, 'acc_second', 'p-first');
    // The publisher manages both codes again.
    await query(sql`update global_code set is_managed = true where account_id = 'acc_second'`);
    const id = await makeMember(group, 'Last');
    await linked(group, id, 'p-first');
    const pointers = await query(sql<{ account_id: string; target: string }>`
      select m.account_id, s.account_id as target
      from membership m
      join membership s on s.membership_id = m.merged_into
      where m.group_id = ${group}
      order by m.account_id`);
    expect(pointers).toEqual([
      { account_id: 'acc_first', target: id },
      { account_id: 'acc_second', target: id },
    ]);
    for (const filter of [
      `memberId=${id}`,
      'memberId=acc_first',
      'memberId=acc_second',
      'code=first',
      'code=Last',
    ])
      expect([filter, await listed(group, filter)]).toEqual([filter, [row.transactionId]]);
    await linking.settle();
    await linking.expectSound();
  });
});

describe('the primary code', () => {
  const primaries = (group: string, id: string) =>
    query(sql<{ code: string }>`
      select code from global_code where account_id = ${id} and is_primary
      union all
      select g.code
      from group_code g
      join membership m using (publisher_id, membership_id)
      where m.account_id = ${id} and m.group_id = ${group} and g.is_primary
      order by code`);

  test.each([
    ['a global code', '', 'primary: true', ['PC1']],
    ['a code of the group', ', group: prime-2', 'primary: true', ['PC2']],
    ['missing', '', 'primary: false', ['PU3', 'PV3']],
  ])("exists once when the claimer's is %s", async (_what, scope, isPrimary, expected) => {
    const number = expected[0]?.at(-1);
    const group = `prime-${number}`;
    await makeEmptyGroup(group);
    await provisionGroup(
      group,
      `members: [ { id: acc_pu${number}, playerId: p-prime, codes: [ { code: PU${number}, managed: true, primary: true }, { code: PV${number}, managed: true, primary: true, group: ${group} } ] } ]`,
    );
    await provisionGroup(
      group,
      `members: [ { id: acc_pc${number}, codes: [ { code: PC${number}${scope}, ${isPrimary} } ] } ]`,
    );
    const { codes } = await linked(group, `acc_pc${number}`, 'p-prime');
    expect(codes.filter((each) => each.isPrimary)).toHaveLength(1);
    const stored = (await primaries(group, `acc_pc${number}`)).map(({ code }) => code);
    expect(codes[0]?.code).toBe(expected.at(-1));
    expect(stored).toEqual(expect.arrayContaining(expected));
  });
});

describe('a program file applied again after a claim', () => {
  const file = (name: string, group: string) => `
publisher: { id: aurora }
groups:
  - id: ${group}
    members:
      - { id: acc_f${name}, name: Made, playerId: p-f${name}, status: Approved, playerMetadata: { displayName: Made },
          codes: [ { code: F${name}, managed: true, primary: true }, { code: FG${name}, managed: true, primary: true, group: ${group} } ],
          identities: [ { provider: twitch, id: "f${name}" } ] }`;

  test.each([
    ['moved', false],
    ['merged', true],
  ])('leaves a %s member unchanged', async (name, isMember) => {
    const group = `file-${name}`;
    await makeEmptyGroup(group);
    await service().provision(file(name, group));
    const id = isMember ? await makeMember(group, `F-${name}`) : await makeOutsider(`F-${name}`);
    await linked(group, id, `p-f${name}`);
    const state = () =>
      query(sql`
        select m.group_id, m.account_id, m.status, m.player_id, m.merged_into, a.name, a.closed_at,
               (select json_agg(g order by g.code) from group_code g where g.membership_id = m.membership_id) as group_codes,
               (select json_agg(g order by g.code) from global_code g where g.account_id = m.account_id) as global_codes,
               (select json_agg(i) from creator_identity i where i.account_id = m.account_id) as identities
        from membership m
        join creator_account a using (account_id)
        order by m.membership_id`);
    const before = await state();
    const answer = await ask(`/members/player/p-f${name}?groupId=${group}`);
    await service().provision(file(name, group));
    expect(await state()).toEqual(before);
    expect((await ask(`/members/player/p-f${name}?groupId=${group}`)).body).toEqual(answer.body);
  });

  test('can contain the claimer as a member, without changing its account', async () => {
    const group = 'file-claimer';
    await makeEmptyGroup(group);
    await generate(group, 'p-fclaimer');
    const id = await makeOutsider('Foreign');
    await linked(group, id, 'p-fclaimer');
    await service().provision(`
publisher: { id: aurora }
groups:
  - id: ${group}
    members:
      - { id: ${id}, name: Other, visible: false, identities: [ { provider: x, id: "1" } ],
          codes: [ { code: NOT-THEIRS, primary: true }, { code: OURS, group: ${group} } ] }`);
    const member = await byPlayer('p-fclaimer', group);
    expect([member.name, member.codes.map((each: { code: string }) => each.code)]).toEqual([
      'Foreign',
      expect.not.arrayContaining(['NOT-THEIRS']),
    ]);
    expect(member.codes).toContainEqual(expect.objectContaining({ code: 'OURS', isPrimary: false }));
    expect((await ask(`/members?groupId=${group}`)).body.totalCount).toBe(0);
    expect(await query(sql`select 1 from creator_identity where account_id = ${id}`)).toEqual([]);
  });

  test('rejects a claimed playerId for another member', async () => {
    const group = 'file-taken';
    await makeEmptyGroup(group);
    await generate(group, 'p-ftaken');
    await linked(group, await makeOutsider('Taker'), 'p-ftaken');
    await expect(makeMember(group, 'Wants', 'playerId: p-ftaken')).rejects.toThrow(
      'another member of group file-taken has the playerId p-ftaken',
    );
  });
});

describe('the NewMember event', () => {
  beforeAll(() =>
    query(sql`
      insert into webhook_endpoint (publisher_id, endpoint_id, url, event_kinds, secret)
      values ('aurora', 'events', 'https://example.com/',
              array['GroupManagement/NewMember', 'GroupManagement/RemovedMember'], repeat('s', 24))`),
  );
  const eventsOf = async (work: () => Promise<unknown>) => {
    const last = sql`(select coalesce(max(event_id::text), '') from webhook_event)`;
    const [{ before } = { before: '' }] = await query(sql<{ before: string }>`select ${last} as before`);
    await work();
    return query(sql<{ kind: string; member: string; code: string }>`
      select kind, event::json ->> 'memberId' as member, event::json ->> 'code' as code
      from webhook_event
      where event_id::text > ${before}
      order by event_id`);
  };
  const newMember = (member: string, code: string) => ({ kind: 'GroupManagement/NewMember', member, code });

  test('is sent once for each group that the account joins, and not for removals', async () => {
    for (const [group, status] of [
      ['main', 'Approved'],
      ['moba', 'Approved'],
      ['history', 'Pending'],
    ]) {
      await provisionGroup(
        group ?? '',
        `members: [ { id: acc_new, playerId: p-new, status: ${status}, codes: [ { code: NEW, managed: true } ] } ]`,
      );
    }
    const id = await makeOutsider('Heard');
    const events = await eventsOf(() => linked('main', id, 'p-new'));
    expect(events).toEqual([newMember(id, 'Heard'), newMember(id, 'Heard')]);
  });

  test.each([
    ['Approved', 0],
    ['Pending', 1],
    ['Removed', 1],
  ])('is sent, for an own membership that was %s, %i times', async (status, count) => {
    await generate('main', `p-event-${status}`);
    const id = await makeMember('main', `Event-${status}`, `status: ${status}`);
    const events = await eventsOf(() => linked('main', id, `p-event-${status}`));
    expect(events).toEqual(Array.from({ length: count }, () => newMember(id, `Event-${status}`)));
  });

  test('is not sent when a member only gets a playerId', async () => {
    const id = await makeMember('main', 'Untold');
    expect(await eventsOf(() => linked('main', id, 'p-untold'))).toEqual([]);
  });
});
