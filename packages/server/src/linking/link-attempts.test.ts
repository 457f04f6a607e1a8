import { describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { statusesOf } from '../../test/schedules.ts';
import { Refusal } from '../platform/refusal.ts';
import { LinkAttempts } from './link-attempts.ts';

let nowMs = 0;
const clock = { now: () => new Date(nowMs) };
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('failed links', () => {
  const environment = { LINK_MISSES_PER_MINUTE: '6' };
  const linking = useLinking({ clock, environment });
  const { service, keys, link, authCode, makeMember } = linking;
  const guess = (key: string, playerId = 'p-guess') =>
    link('main', { playerId, authCode: 'ABCD-EFGH' }, { key });
  const metric = async (name: string): Promise<number> => {
    const { text } = await service().call('GET', '/metrics');
    return Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };

  test('are limited per minute, then answered with 429 even for valid codes; successful links are not counted', async () => {
    const code = await authCode(await makeMember('main', 'Right'));
    const key = keys().backend;
    for (const _ of times(20, () => null)) {
      const own = await authCode('acc_alice');
      expect((await link('main', { playerId: 'p-1', authCode: own }, { key })).status).toBe(200);
    }
    const rejectedBefore = await metric('attribution_refused_requests_total{reason="link_misses"}');
    const failedBefore = await metric('attribution_failed_links_total{code="InvalidAuthCode"}');
    for (const _ of times(6, () => null)) expect((await guess(key)).status).toBe(400);
    const wrong = await guess(key);
    const right = await link('main', { playerId: 'p-right', authCode: code }, { key });
    for (const { status, body, headers } of [wrong, right])
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RateLimited', '10']);
    expect(right.text).toBe(wrong.text);
    expect(await metric('attribution_failed_links_total{code="InvalidAuthCode"}')).toBe(failedBefore + 6);
    expect(await metric('attribution_refused_requests_total{reason="link_misses"}')).toBe(rejectedBefore + 2);

    nowMs += 10_000;
    expect((await link('main', { playerId: 'p-right', authCode: code }, { key })).status).toBe(200);
    expect((await guess(key)).status).toBe(400);
    expect((await guess(key)).status).toBe(429);
  });

  test('are counted by key', async () => {
    nowMs += 60_000;
    const answers = [];
    for (const _ of times(8, () => null)) answers.push(await guess(keys().backend));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 2 });
    expect((await guess(keys().moba)).status).toBe(400);
  });

  test('are limited to the same number when sent concurrently', async () => {
    nowMs += 60_000;
    const answers = await Promise.all(times(60, () => guess(keys().backend)));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 54 });
  });

  test('count for any reason except an invalid body or group', async () => {
    nowMs += 60_000;
    const key = keys().backend;
    for (const _ of times(10, () => null)) {
      expect((await link('main', { playerId: 'p-1' }, { key })).status).toBe(400);
      const json = { playerId: 'p-2', authCode: 'ABCD-EFGH', playerMetadata: { note: 'x'.repeat(8_192) } };
      expect((await link('main', { json }, { key })).body.code).toBe('InvalidInput');
      expect((await link('nowhere', { playerId: 'p-1', authCode: 'ABCD-EFGH' }, { key })).status).toBe(400);
    }
    const code = await authCode(await makeMember('main', 'Taken'));
    const answers = [];
    for (const _ of times(8, () => null))
      answers.push(await link('main', { playerId: 'p-2', authCode: code }, { key }));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 2 });
    expect(await metric('attribution_failed_links_total{code="PlayerAlreadyLinked"}')).toBe(6);
  });

  test('do not include concurrent successful links', async () => {
    nowMs += 60_000;
    const codes: string[] = [];
    for (const index of times(30, (each) => each))
      codes.push(await authCode(await makeMember('main', `Good${index}`)));
    const answers = await Promise.all(
      codes.map((code, index) => link('main', { playerId: `p-good-${index}`, authCode: code })),
    );
    expect(statusesOf(answers)).toEqual({ 200: 30 });
  });
});

describe('failed links of one player', () => {
  const environment = { LINK_MISSES_PER_MINUTE: '9', LINK_MISSES_PER_MINUTE_PER_PLAYER: '3' };
  const { keys, link, authCode, makeMember } = useLinking({ clock, environment });
  const guess = (playerId: string, key = keys().backend) =>
    link('main', { playerId, authCode: 'ABCD-EFGH' }, { key });

  test("are limited for that player only, and use up no more of the key's limit", async () => {
    const code = await authCode(await makeMember('main', 'Other'));
    const answers = await Promise.all(times(40, () => guess('p-clumsy')));
    expect(statusesOf(answers)).toEqual({ 400: 3, 429: 37 });
    const rejected = await guess('p-clumsy');
    expect([rejected.body.code, rejected.headers.get('retry-after')]).toEqual(['RateLimited', '20']);
    expect(statusesOf(await Promise.all(times(3, () => guess('p-another'))))).toEqual({ 400: 3 });
    expect((await link('main', { playerId: 'p-good', authCode: code })).status).toBe(200);
    expect((await guess('p-clumsy', keys().moba)).status, 'with another key').toBe(400);
  });

  test('are limited by key across players', async () => {
    nowMs += 60_000;
    const answers = await Promise.all(times(30, (index) => guess(`p-${index}`)));
    expect(statusesOf(answers)).toEqual({ 400: 9, 429: 21 });
  });

  test('do not block successful links when the clock is set back', async () => {
    nowMs += 60_000;
    const account = await makeMember('main', 'Back');
    for (const stepMs of [0, -3_600_000, 1_000, -1_000]) {
      nowMs += stepMs;
      const answer = await link('main', { playerId: 'p-back', authCode: await authCode(account) });
      expect([stepMs, answer.status]).toEqual([stepMs, 200]);
    }
  });
});

describe('an attempt', () => {
  const failing = () => Promise.reject(new Refusal('InvalidAuthCode', 'x'));

  test('is not counted when it throws another error', async () => {
    const attempts = new LinkAttempts(1, 'Too many.', clock);
    for (const _ of times(3, () => null)) {
      await expect(attempts.attempt('k', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    }
    await expect(attempts.attempt('k', failing)).rejects.toMatchObject({ code: 'InvalidAuthCode' });
    await expect(attempts.attempt('k', failing)).rejects.toMatchObject({ code: 'RateLimited' });
  });

  test('waits for a token while others are in progress, and is rejected without running if they fail', async () => {
    const attempts = new LinkAttempts(1, 'Too many.', clock);
    const first = Promise.withResolvers<string>();
    const order: string[] = [];
    const one = attempts.attempt('k', () => first.promise);
    const two = attempts.attempt('k', async () => order.push('two'));
    const three = attempts.attempt('k', async () => order.push('three'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual([]);
    first.resolve('done');
    expect(await one).toBe('done');
    await Promise.all([two, three]);
    expect(order).toEqual(['two', 'three']);

    const failing = Promise.withResolvers<string>();
    const four = attempts.attempt('k', () => failing.promise);
    const five = attempts.attempt('k', async () => order.push('five'));
    failing.reject(new Refusal('InvalidAuthCode', 'x'));
    await expect(four).rejects.toMatchObject({ code: 'InvalidAuthCode' });
    await expect(five).rejects.toMatchObject({ code: 'RateLimited', retryAfterSeconds: 60 });
    expect(order).not.toContain('five');
  });
});

describe('by default', () => {
  const { keys, link } = useLinking({ clock, environment: { LINK_MISSES_PER_MINUTE_PER_PLAYER: '' } });

  const guesses = async (count: number, playerOf: (index: number) => string) => {
    const answers = [];
    for (const index of times(count, (each) => each))
      answers.push(
        await link('main', { playerId: playerOf(index), authCode: 'ABCD-EFGH' }, { key: keys().backend }),
      );
    return statusesOf(answers);
  };

  test('60 links a minute may fail per key, and 5 per playerId', async () => {
    nowMs += 60_000;
    expect(await guesses(7, () => 'p')).toEqual({ 400: 5, 429: 2 });
    nowMs += 60_000;
    expect(await guesses(63, (index) => `p-${index % 20}`)).toEqual({ 400: 60, 429: 3 });
  });
});
