import { expect, test } from 'vitest';
import { Attribution } from '../src/index.ts';
import { AttributionFake } from '../src/testing.ts';

test("the fake's auth codes expire after half an hour", async () => {
  let nowMs = Date.parse('2026-05-01T12:00:00Z');
  const fake = new AttributionFake({ members: [{ code: 'ALICE', id: 'acc_alice' }], now: () => nowMs });
  const { members } = new Attribution(fake.options);
  const authCode = fake.authCode('acc_alice');
  nowMs += 30 * 60_000;
  await expect(members.link({ playerId: 'p-1', authCode })).rejects.toMatchObject({
    code: 'ExpiredAuthCode',
  });
  nowMs -= 1;
  expect(await members.link({ playerId: 'p-1', authCode })).toMatchObject({ playerId: 'p-1' });
  expect(() => fake.authCode('acc_unknown')).toThrow(TypeError);
});
