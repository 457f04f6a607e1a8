import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBounties } from '../../server/test/bounties.ts';
import {
  Attribution,
  BountyNotFound,
  CodeNotInGroup,
  Conflict,
  InvalidAuthCode,
  InvalidEventCode,
  InvalidGroup,
  InvalidInput,
  MemberAlreadyLinked,
  NotFound,
  PlayerAlreadyLinked,
  PlayerNotInGroup,
  ReferralAccountNotFound,
  Unauthorized,
} from '../src/index.ts';
import { purchaseOf } from './calls.ts';
import { type Target, useTargets } from './targets.ts';

describe.each(useTargets())('%s', (_, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.close());
  const client = () => target.client();

  test('tests the key, and lists groups', async () => {
    expect(await client().ping()).toEqual({ status: 'ok' });
    expect(await client().groups()).toContainEqual({ id: 'main', name: expect.any(String), isDefault: true });
    const other = target.client({ key: `svc_sk_${'x'.repeat(38)}` });
    await expect(other.ping()).rejects.toBeInstanceOf(Unauthorized);
  });

  test('finds members by code, id and player, and lists them page by page', async () => {
    const { members } = client();
    const alice = await members.get('alice');
    expect(alice).toMatchObject({
      groupId: 'main',
      id: 'acc_alice',
      groupDefaultRevShare: 10,
      codeTTLInDays: 30,
    });
    expect(await members.getById('acc_alice')).toEqual(alice);
    expect(await members.getByPlayer('p-1')).toEqual(alice);
    await expect(members.get('NOBODY')).rejects.toBeInstanceOf(CodeNotInGroup);
    await expect(members.getById('acc_unknown')).rejects.toBeInstanceOf(CodeNotInGroup);
    await expect(members.getByPlayer('nobody')).rejects.toBeInstanceOf(PlayerNotInGroup);
    await expect(members.get('ALICE', { groupId: 'missing' })).rejects.toBeInstanceOf(InvalidGroup);
    await expect(members.list({ groupId: 'missing' }).pages().next()).rejects.toMatchObject({ status: 404 });
    const [first, second] = await Array.fromAsync(members.list({ pageSize: 1 }).pages());
    expect(first).toMatchObject({ currentPage: 1, currentPageSize: 1, groupDefaultRevShare: 10 });
    expect([first, second].map((page) => page?.members[0]?.id)).toEqual(['acc_alice', 'acc_bob']);
    const rest = await Array.fromAsync(members.list({ pageSize: 1, page: 2 }));
    expect(rest[0]?.id).toBe('acc_bob');
  });

  test('reads tiers, whose members earn their share', async () => {
    const { tiers, transactions } = client();
    const { value: page } = await tiers.list().pages().next();
    expect(page).toMatchObject({ groupId: 'main', currentPage: 1, currentPageSize: 10, totalCount: 1 });
    const id = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
    expect(page?.groupTiers).toEqual([{ id, name: 'Gold', revShare: 20, memberCount: 1 }]);
    const gold = await tiers.get(id);
    expect(gold).toMatchObject({ groupId: 'main', id, name: 'Gold', revShare: 0.2, totalCount: 1 });
    expect(gold.members).toMatchObject([{ id: 'acc_alice', playerId: 'p-1' }]);
    expect(gold.members[0]).not.toHaveProperty('groupDefaultRevShare');
    await expect(tiers.get('7d0c5a3e-0000-4c1b-9a68-0d1e6f2b7c90')).rejects.toBeInstanceOf(NotFound);
    await expect(tiers.get(id, { groupId: 'missing' })).rejects.toMatchObject({ status: 404 });
    await expect(tiers.list({ groupId: 'missing' }).pages().next()).rejects.toMatchObject({ status: 400 });
    await transactions.record(purchaseOf('by tier', { code: 'ALICE' }));
    await transactions.record(purchaseOf('by group', { code: 'BOB' }));
    await target.post();
    expect(await transactions.get('by tier')).toMatchObject([
      { memberShareAmount: 200, memberSharePercent: 20 },
    ]);
    expect(await transactions.get('by group')).toMatchObject([
      { memberShareAmount: 100, memberSharePercent: 10 },
    ]);
  });

  test('generates a member once, whose code works at once', async () => {
    const { members, transactions } = client();
    const { code } = await members.generate({ playerId: 'p-new', playerMetadata: { displayName: 'Nia' } });
    expect(await members.generate({ playerId: 'p-new' })).toMatchObject({ code, playerId: 'p-new' });
    expect(await members.get(code)).toMatchObject({
      name: 'Nia',
      codes: [{ isGenerated: true, isManaged: true }],
    });
    const { rows } = await transactions.record(purchaseOf('generated', { code }));
    expect(rows).toMatchObject([{ code, memberPlayerId: 'p-new' }]);
  });

  test('links a creator, who claims the member that was generated for the player', async () => {
    const { members, playerCodes, transactions } = client();
    const playerMetadata = { displayName: 'Kim' };
    const { code } = await members.generate({ playerId: 'p-claimed', playerMetadata });
    await transactions.record(purchaseOf('before the claim', { code }));
    await transactions.record(purchaseOf('of the claimer', { code: 'CAROL' }));
    await playerCodes.attach('fan-of-generated', { code, at: new Date(Date.now() - 60_000) });
    const authCode = await target.authCode('acc_carol');
    const linked = await members.link({ playerId: 'p-claimed', authCode: authCode.toLowerCase() });
    expect(linked).toMatchObject({ groupId: 'main', id: 'acc_carol', playerId: 'p-claimed' });
    expect(linked.codes).toEqual([
      { code: 'CAROL', isPrimary: true, isGenerated: false, isManaged: false },
      { code, isPrimary: false, isGenerated: true, isManaged: false },
    ]);
    const carol = await members.getByPlayer('p-claimed');
    expect(carol).toMatchObject({ id: 'acc_carol', name: 'Carol', playerMetadata });
    // The service caches codes for up to five seconds.
    await expect.poll(() => members.get(code)).toEqual(carol);
    await target.post();
    const rows = await Array.fromAsync(transactions.list({ memberId: 'acc_carol' }));
    expect(rows.map(({ transactionId }) => transactionId).toSorted()).toEqual([
      'before the claim',
      'of the claimer',
    ]);
    expect(rows).toMatchObject([{ memberPlayerId: 'p-claimed' }, { memberPlayerId: 'p-claimed' }]);
    expect(await playerCodes.get('fan-of-generated')).toMatchObject({ memberId: 'acc_carol' });
    await expect(members.link({ playerId: 'p-claimed', authCode })).rejects.toBeInstanceOf(InvalidAuthCode);
  });

  test('issues auth codes for players, and rejects wrong links', async () => {
    const { members } = client();
    await members.generate({ playerId: 'p-linked' });
    const first = await members.authCode('p-linked');
    expect(first.authCode).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    expect(Math.abs(Date.parse(first.expiresAt) - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
    const { authCode } = await members.authCode('p-linked');
    const link = (playerId: string, code: string, options = {}) =>
      members.link({ playerId, authCode: code }, options);
    await expect(link('p-linked', first.authCode)).rejects.toBeInstanceOf(InvalidAuthCode);
    await expect(link('p-linked', 'AAAA-AAAA')).rejects.toBeInstanceOf(InvalidAuthCode);
    await expect(link('', authCode)).rejects.toBeInstanceOf(InvalidInput);
    await expect(link('p-linked', authCode, { groupId: 'missing' })).rejects.toBeInstanceOf(InvalidGroup);
    await expect(link('p-other', authCode)).rejects.toBeInstanceOf(MemberAlreadyLinked);
    await expect(link('p-1', authCode)).rejects.toBeInstanceOf(PlayerAlreadyLinked);
    expect(await link('p-linked', authCode)).toMatchObject({ playerId: 'p-linked' });
    await expect(members.authCode('unknown')).rejects.toBeInstanceOf(PlayerNotInGroup);
    await expect(members.authCode('p-1', { groupId: 'missing' })).rejects.toBeInstanceOf(InvalidGroup);
  });

  test('credits the code that a player has entered, and ends it', async () => {
    const { playerCodes, transactions } = client();
    const at = new Date(Date.now() - 60_000);
    const attached = await playerCodes.attach('fan', { code: 'alice', at });
    expect(attached).toMatchObject({ code: 'ALICE', memberId: 'acc_alice', attachedAt: at.toISOString() });
    expect(Date.parse(attached.expiresAt) - at.getTime()).toBe(30 * 86_400_000);
    const byPlayer = { code: '@player', playerId: 'fan', transactionDate: new Date() };
    const { rows } = await transactions.record(purchaseOf('by player', byPlayer));
    expect(rows).toMatchObject([{ code: 'ALICE' }]);
    await playerCodes.attach('fan', { code: 'BOB' });
    expect(await playerCodes.get('fan')).toMatchObject({ code: 'BOB' });
    expect(await playerCodes.get('fan', { at: new Date(at.getTime() + 1_000) })).toMatchObject({
      code: 'ALICE',
    });
    expect(await playerCodes.end('fan')).toEqual({ groupId: 'main', playerId: 'fan' });
    await expect(playerCodes.get('fan')).rejects.toBeInstanceOf(NotFound);
    const late = { ...byPlayer, transactionDate: new Date(Date.now() + 1_000) };
    await expect(transactions.record(purchaseOf('too late', late))).rejects.toBeInstanceOf(CodeNotInGroup);
    await expect(playerCodes.attach('p-1', { code: 'ALICE' })).rejects.toBeInstanceOf(Conflict);
    await expect(playerCodes.attach('fan', { code: 'NOBODY' })).rejects.toBeInstanceOf(CodeNotInGroup);
  });

  test('lists who supports a creator, and attaches the codes of purchases', async () => {
    const { playerCodes, referrals, transactions } = client();
    const transactionDate = new Date(Date.now() - 60_000);
    const bought = purchaseOf('attached', { code: 'BOB', playerId: 'new-fan', transactionDate });
    expect(await transactions.record(bought, { attach: true })).toMatchObject({ rows: [{ code: 'BOB' }] });
    expect(await playerCodes.get('new-fan')).toMatchObject({ code: 'BOB' });
    const own = purchaseOf('own', { code: 'ALICE', playerId: 'p-1', transactionDate });
    await expect(transactions.record(own, { attach: true })).rejects.toBeInstanceOf(InvalidInput);
    const supporter = { code: 'BOB', playerId: 'new-fan', referralDate: transactionDate.toISOString() };
    const { value: page } = await referrals.ofCode('bob').pages().next();
    expect(page).toMatchObject({
      totalCount: 1,
      referralCodes: [{ code: 'BOB' }],
      referrals: [{ id: expect.any(String), ...supporter }],
    });
    expect(await Array.fromAsync(referrals.ofPlayer('p-1'))).toEqual([]);
    expect(await Array.fromAsync(referrals.ofCode('BOB', { excludeReferralList: true }))).toEqual([]);
    expect(await referrals.codeOf('p-1')).toBe('ALICE');
    await expect(referrals.codeOf('unknown')).rejects.toBeInstanceOf(ReferralAccountNotFound);
    const unknown = referrals.ofCode('NOBODY').pages().next();
    await expect(unknown).rejects.toBeInstanceOf(ReferralAccountNotFound);
  });

  test('creates, replaces, lists and deletes schedules', async () => {
    const { schedules } = client();
    const terms = { revShare: 25, startDate: new Date('2031-05-01'), endDate: new Date('2031-05-08') };
    const { id } = await schedules.create(terms);
    await expect(schedules.create(terms)).rejects.toBeInstanceOf(Conflict);
    await expect(schedules.create({ ...terms, endDate: '2030-01-01T00:00:00Z' })).rejects.toBeInstanceOf(
      InvalidInput,
    );
    await expect(
      schedules.create({ startDate: terms.startDate, endDate: terms.endDate } as typeof terms),
    ).rejects.toBeInstanceOf(InvalidInput);
    await expect(schedules.create(terms, { groupId: 'missing' })).rejects.toBeInstanceOf(InvalidGroup);
    expect(await schedules.replace(id, { ...terms, revShare: 30 })).toMatchObject({ id, revShare: 30 });
    expect(await Array.fromAsync(schedules.list())).toMatchObject([
      { id, revShare: 30, status: 'Upcoming', groupId: 'main' },
    ]);
    expect(await schedules.delete(id)).toMatchObject({ id });
    await expect(schedules.delete(id)).rejects.toBeInstanceOf(NotFound);
    await expect(schedules.replace(id, terms)).rejects.toBeInstanceOf(NotFound);
  });

  test('shows the same properties of a row', async () => {
    const { transactions } = client();
    const details = {
      total: { amount: 1_099, currency: 'USD' },
      platform: 'PC',
      playerId: 'player-7',
      playerName: 'Seven',
      skuId: 'skin',
      memberSharePercent: 12.5,
      status: 'Test',
    } as const;
    const { rows } = await transactions.record(purchaseOf('details', details));
    const created = [
      'code',
      'currency',
      'description',
      'id',
      'memberPaid',
      'memberPlayerId',
      'memberSharePercent',
      'origin',
      'platform',
      'playerId',
      'playerName',
      'skuId',
      'status',
      'subtotal',
      'total',
      'totalCurrency',
      'transactionDate',
      'transactionId',
    ];
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(created);
    const read = await transactions.get('details', { include: 'meta' });
    const withMeta = [...created, 'createdAt', 'groupId', 'memberId', 'refundedAmount', 'updatedAt'];
    expect(Object.keys(read[0] ?? {}).toSorted()).toEqual(expect.arrayContaining(withMeta));
  });
});

describe('the service alone', () => {
  const { service, keys, group, memberId, define } = useBounties();
  const client = () => new Attribution({ baseUrl: service().url, key: keys().backend });

  test('reads bounties and progress, and names the errors of rewards and events', async () => {
    const { bounties } = client();
    const groupId = group();
    const id = await define();
    expect((await Array.fromAsync(bounties.list({ groupId, pageSize: 1 }))).map((each) => each.id)).toContain(
      id,
    );
    expect(await bounties.get(id, { groupId, includeProgress: true })).toMatchObject({ bounty: { id } });
    expect(await Array.fromAsync(bounties.progressOf(memberId('A'), { groupId }))).toBeInstanceOf(Array);
    await expect(bounties.completeReward('missing', {}, { groupId })).rejects.toBeInstanceOf(BountyNotFound);
    const event = { eventId: 'e-1', eventCode: 'missing', memberId: memberId('A'), playerId: 'p' };
    await expect(bounties.recordEvent(event, { groupId })).rejects.toBeInstanceOf(InvalidEventCode);
  });
});
