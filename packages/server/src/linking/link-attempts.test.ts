import { describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { statusesOf } from '../../test/schedules.ts';
import { ApiError } from '../platform/http/api-error.ts';
import { LinkAttempts } from './link-attempts.ts';

let nowMs = 0;
const clock = { now: () => new Date(nowMs) };
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('links that fail', () => {
  const linking = useLinking({ clock, environment: { LINK_MISSES_PER_MINUTE: '6' } });
  const { service, keys, link, authCode, makeMember } = linking;
  const guess = (key: string, playerId = 'p-guess') =>
    link('main', { playerId, authCode: 'ABCD-EFGH' }, { key });
  const metric = async (name: string): Promise<number> => {
    const { text } = await service().call('GET', '/metrics');
    return Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };

  test('are answered so many a minute, and then 429, be the code wrong or right; a link that succeeds costs nothing', async () => {
    const code = await authCode(await makeMember('main', 'Right'));
    const key = keys().backend;
    for (const _ of times(20, () => null)) {
      const own = await authCode('acc_alice');
      expect((await link('main', { playerId: 'p-1', authCode: own }, { key })).status).toBe(200);
    }
    const refusedBefore = await metric('attribution_refused_requests_total{reason="link_misses"}');
    const failedBefore = await metric('attribution_failed_links_total{code="InvalidAuthCode"}');
    for (const _ of times(6, () => null)) expect((await guess(key)).status).toBe(400);
    const wrong = await guess(key);
    const right = await link('main', { playerId: 'p-right', authCode: code }, { key });
    for (const { status, body, headers } of [wrong, right])
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RateLimited', '10']);
    expect(right.text).toBe(wrong.text);
    expect(await metric('attribution_failed_links_total{code="InvalidAuthCode"}')).toBe(failedBefore + 6);
    expect(await metric('attribution_refused_requests_total{reason="link_misses"}')).toBe(refusedBefore + 2);

    nowMs += 10_000;
    expect((await link('main', { playerId: 'p-right', authCode: code }, { key })).status).toBe(200);
    expect((await guess(key)).status).toBe(400);
    expect((await guess(key)).status).toBe(429);
  });

  test('are counted by key: others go on', async () => {
    nowMs += 60_000;
    const answers = [];
    for (const _ of times(8, () => null)) answers.push(await guess(keys().backend));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 2 });
    expect((await guess(keys().moba)).status).toBe(400);
  });

  test('sent all at once are no more than in a row', async () => {
    nowMs += 60_000;
    const answers = await Promise.all(times(60, () => guess(keys().backend)));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 54 });
  });

  test('are those with every reason, and not a body or a group that is wrong', async () => {
    nowMs += 60_000;
    const key = keys().backend;
    for (const _ of times(10, () => null)) {
      expect((await link('main', { playerId: 'p-1' }, { key })).status).toBe(400);
      expect((await link('nowhere', { playerId: 'p-1', authCode: 'ABCD-EFGH' }, { key })).status).toBe(400);
    }
    const code = await authCode(await makeMember('main', 'Taken'));
    const answers = [];
    for (const _ of times(8, () => null))
      answers.push(await link('main', { playerId: 'p-2', authCode: code }, { key }));
    expect(statusesOf(answers)).toEqual({ 400: 6, 429: 2 });
    expect(await metric('attribution_failed_links_total{code="PlayerAlreadyLinked"}')).toBe(6);
  });

  test('do not keep good links waiting that are sent all at once', async () => {
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

describe('an attempt', () => {
  const refused = () => Promise.reject(new ApiError('InvalidAuthCode', 'x'));

  test('that breaks for another reason costs nothing', async () => {
    const attempts = new LinkAttempts(1, clock);
    for (const _ of times(3, () => null)) {
      await expect(attempts.attempt('k', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    }
    await expect(attempts.attempt('k', refused)).rejects.toMatchObject({ code: 'InvalidAuthCode' });
    await expect(attempts.attempt('k', refused)).rejects.toMatchObject({ code: 'RateLimited' });
  });

  test('waits for its place while others are under way, and is refused unrun when they fail', async () => {
    const attempts = new LinkAttempts(1, clock);
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
    failing.reject(new ApiError('InvalidAuthCode', 'x'));
    await expect(four).rejects.toMatchObject({ code: 'InvalidAuthCode' });
    await expect(five).rejects.toMatchObject({ code: 'RateLimited', retryAfterSeconds: 60 });
    expect(order).not.toContain('five');
  });
});

describe('without a setting', () => {
  const { keys, link } = useLinking({ clock });

  test('60 a minute may fail', async () => {
    nowMs += 60_000;
    const answers = [];
    for (const _ of times(63, () => null))
      answers.push(await link('main', { playerId: 'p', authCode: 'ABCD-EFGH' }, { key: keys().backend }));
    expect(statusesOf(answers)).toEqual({ 400: 60, 429: 3 });
  });
});
