import { describe, expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';

let nowMs = Date.UTC(2026, 4, 1);
const clock = { now: () => new Date(nowMs) };
const counted = async (count: number, ask: (index: number) => Promise<{ status: number }>) => {
  const counts: Record<number, number> = {};
  for (let index = 0; index < count; index += 1) {
    const { status } = await ask(index);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};

describe('codes that do not exist', () => {
  const { keys, ask } = useManagement({ clock, environment: { CODE_MISSES_PER_MINUTE: '6' } });
  const miss = (key: string) => (index: number) => ask(`/members/GUESS-${index}`, { key });

  test('are answered with 429 and Retry-After past the limit, for any reason', async () => {
    const key = keys().client;
    const wrong = ['GUESS', 'PENDING', 'OLD', 'MOBA-AL', 'RIVAL', 'x'.repeat(99)];
    expect(await counted(6, (index) => ask(`/members/${wrong[index]}`, { key }))).toEqual({ 400: 6 });
    for (const code of wrong) {
      const { status, body, headers } = await ask(`/members/${code}`, { key });
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RateLimited', '60']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('do not affect lookups of codes that exist', async () => {
    const key = keys().client;
    expect(await counted(10, miss(key))).toEqual({ 429: 10 });
    expect(await counted(200, () => ask('/members/ALICE', { key }))).toEqual({ 200: 200 });
    expect(await counted(1, () => ask('/members/AL-1', { key }))).toEqual({ 200: 1 });
  });

  test('are counted by key, without affecting other keys', async () => {
    expect(await counted(8, miss(keys().backend))).toEqual({ 400: 6, 429: 2 });
    expect(await counted(1, miss(keys().client))).toEqual({ 429: 1 });
  });

  test('are allowed again after a minute, and one after ten seconds', async () => {
    nowMs += 10_000;
    expect(await counted(3, miss(keys().client))).toEqual({ 400: 1, 429: 2 });
    nowMs += 60_000;
    expect(await counted(8, miss(keys().client))).toEqual({ 400: 6, 429: 2 });
  });

  test('do not include a wrong group, or lookups by id with a secret key', async () => {
    const key = keys().moba;
    expect(await counted(20, () => ask('/members/id/unknown', { key }))).toEqual({ 400: 20 });
    expect(await counted(20, () => ask('/members/X1?groupId=nowhere', { key: keys().rival }))).toEqual({
      400: 20,
    });
    expect(await counted(8, miss(keys().rival))).toEqual({ 400: 6, 429: 2 });
    expect(await counted(8, miss(key))).toEqual({ 400: 6, 429: 2 });
  });
});

describe('other lookups with a public key', () => {
  const { keys, service } = useManagement({ clock, environment: { CODE_MISSES_PER_MINUTE: '6' } });
  const ask = (path: string) => service().call('GET', `/v1${path}`, { key: keys().client });

  test.each([
    ['a member by playerId', '/manage/members/player/', 'PlayerNotInGroup', 'p-1'],
    ['a member by id', '/manage/members/id/', 'CodeNotInGroup', 'acc_alice'],
    ["a member's bounties", '/bounties/member/id/', 'MemberNotFound', 'acc_alice'],
    ['a bounty', '/bounties/', 'BountyNotFound', null],
    ['the referrals of a player', '/referrals/player/', 'PlayerNotInGroup', 'p-1'],
    ['the referrals of a code', '/referrals/code/', 'ReferralAccountNotFound', 'ALICE'],
  ])('count together with codes: %s', async (_what, path, code, existing) => {
    nowMs += 60_000;
    const first = await ask(`${path}unknown`);
    expect([first.status, first.body.code]).toEqual([400, code]);
    expect(await counted(3, (index) => ask(`/manage/members/GUESS-${index}`))).toEqual({ 400: 3 });
    expect(await counted(5, (index) => ask(`${path}unknown-${index}`))).toEqual({ 400: 2, 429: 3 });
    expect((await ask('/manage/members/GUESS')).body.code).toBe('RateLimited');
    if (existing !== null) expect((await ask(`${path}${existing}`)).status, 'existing').toBe(200);
    const { text } = await service().call('GET', '/metrics');
    expect(text).toMatch(/^attribution_refused_requests_total\{reason="look_up_misses"\} \d+$/m);
  });
});

describe('behind a proxy', () => {
  const { keys, ask } = useManagement({
    clock,
    environment: { CODE_MISSES_PER_MINUTE: '2', TRUST_PROXY: '127.0.0.1' },
  });

  test('codes that do not exist are counted by the forwarded address', async () => {
    for (const address of ['10.0.0.1', '10.0.0.2', '2001:db8::1']) {
      const headers = { 'x-forwarded-for': address };
      const miss = () => ask('/members/GUESS', { key: keys().client, headers });
      expect([address, await counted(3, miss)]).toEqual([address, { 400: 2, 429: 1 }]);
    }
  });
});

describe('with the default settings', () => {
  const { keys, ask } = useManagement({ clock });

  test('120 failed lookups a minute are answered', async () => {
    const miss = () => ask('/members/GUESS', { key: keys().client });
    expect(await counted(123, miss)).toEqual({ 400: 120, 429: 3 });
  });
});
