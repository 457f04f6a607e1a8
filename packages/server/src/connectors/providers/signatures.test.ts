import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { webhookProviders } from './all-providers.ts';
import { stripe } from './stripe.ts';
import { xsolla } from './xsolla.ts';

const now = new Date('2026-05-02T12:00:00Z');
const body = Buffer.from('{"id":"evt_1","type":"ping","n":1.10}');
const secret = 'whsec_first';
const oracle = new Stripe('sk_test_none').webhooks;

const verify = (header: string | undefined, secrets: readonly string[] = [secret], at = now) =>
  stripe.verify(
    { body, headers: header === undefined ? {} : { 'stripe-signature': header } },
    secrets,
    at,
    {},
  );

describe('Stripe, compared with its own library', () => {
  const seconds = now.getTime() / 1_000;
  const signed = (key: string, timestamp = seconds): string =>
    oracle.generateTestHeaderString({ payload: body.toString(), secret: key, timestamp });

  test('accepts what the library signs, and the library accepts what we sign', () => {
    expect(verify(signed(secret))).toBe(null);
    const header = stripe.sign(body, secret, now, {})['stripe-signature'] ?? '';
    const event = oracle.constructEvent(body.toString(), header, secret, 300, undefined, now.getTime());
    expect(event.id).toBe('evt_1');
  });

  test('accepts one of several signatures, and one of two secrets', () => {
    const [, wrong] = signed('whsec_other').split(',');
    const [time, right] = signed(secret).split(',');
    for (const header of [`${time},${wrong},${right}`, `${time},${right},${wrong}`])
      expect(verify(header)).toBe(null);
    expect(verify(signed(secret), ['whsec_new', secret])).toBe(null);
  });

  test.each([
    ['another secret', signed('whsec_other'), 'WrongSignature'],
    ['no header', undefined, 'NoSignature'],
    ['an empty header', '', 'NoSignature'],
    ['another scheme only', signed(secret).replace('v1=', 'v0='), 'NoSignature'],
    ['a cut signature', signed(secret).slice(0, -2), 'WrongSignature'],
    ['a longer signature', `${signed(secret)}00`, 'WrongSignature'],
    ['no time', signed(secret).replace(/^t=\d+,/, ''), 'NoSignature'],
    ['a time of more than five minutes ago', signed(secret, seconds - 301), 'TooOld'],
    ['a time of more than five minutes ahead', signed(secret, seconds + 301), 'FromTheFuture'],
    ['another time', signed(secret).replace(`t=${seconds}`, `t=${seconds + 1}`), 'WrongSignature'],
  ])('rejects %s', (_what, header, problem) => {
    expect(verify(header)).toBe(problem);
  });

  test('rejects everything without a secret', () => {
    expect(verify(signed(secret), [])).toBe('NoSecret');
  });
});

test('Xsolla signs with the SHA-1 of the body and the secret', () => {
  const digest = createHash('sha1')
    .update(Buffer.concat([body, Buffer.from('key')]))
    .digest('hex');
  const check = (authorization: string, secrets = ['key']) =>
    xsolla.verify({ body, headers: { authorization } }, secrets, now, {});
  expect(check(`Signature ${digest}`)).toBe(null);
  expect(check(`Signature ${digest}`, ['new', 'key'])).toBe(null);
  expect(check(`Signature ${digest}`, ['other'])).toBe('WrongSignature');
  expect(check(`Signature ${digest.slice(0, -2)}`)).toBe('WrongSignature');
  expect(check(digest)).toBe('NoSignature');
  expect(check(`Signature ${digest}`, [])).toBe('NoSecret');
});

describe.each(webhookProviders.map((provider) => [provider.id, provider] as const))('%s', (_id, provider) => {
  test('accepts its own signature of the same bytes only', () => {
    const headers = provider.sign(body, secret, now, {});
    const check = (bytes: Buffer, secrets: readonly string[]) =>
      provider.verify({ body: bytes, headers }, secrets, now, {});
    expect(check(body, [secret])).toBe(null);
    expect(check(Buffer.concat([body, Buffer.from(' ')]), [secret])).toBe('WrongSignature');
    expect(check(body, ['another'])).toBe('WrongSignature');
    expect(check(body, [])).toBe('NoSecret');
    expect(provider.verify({ body, headers: {} }, [secret], now, {})).toBe('NoSignature');
  });

  test('reads each of its fixtures, and gives each event a key of its own', () => {
    const of = { orderId: '1001', code: 'ALICE', playerId: 'p-1', now };
    const keys = provider.fixtures.map((fixture) => {
      const [event, ...others] = provider.read(structuredClone(fixture.body(of)), { isTestAccount: true });
      expect(others).toEqual([]);
      expect(event?.isTest, fixture.name).toBe(true);
      return event?.key;
    });
    // An order of Xsolla's is refunded once, for whatever reason.
    expect(new Set(keys).size).toBe(provider.id === 'xsolla' ? keys.length - 2 : keys.length);
  });
});

test('the presets of other shops accept their signatures, with a time where the shop signs one', () => {
  const generic = webhookProviders.find(({ id }) => id === 'generic');
  for (const [preset, header] of [
    ['stash', 'stash-hmac-signature'],
    ['neon', 'x-neon-digest'],
    ['aghanim', 'x-aghanim-signature'],
    ['appcharge', 'signature'],
  ] as const) {
    const settings = { generic: { preset } };
    const headers = generic?.sign(body, secret, now, settings) ?? {};
    expect(Object.keys(headers)).toContain(header);
    expect(generic?.verify({ body, headers }, [secret], now, settings)).toBe(null);
    const late = new Date(now.getTime() + 301_000);
    const expected = preset === 'aghanim' || preset === 'appcharge' ? 'TooOld' : null;
    expect(generic?.verify({ body, headers }, [secret], late, settings), preset).toBe(expected);
  }
});
