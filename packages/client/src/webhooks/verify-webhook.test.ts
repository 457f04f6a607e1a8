import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  contractHeader,
  contractRequest,
  envelope,
  otherSecret,
  secret,
  sentAt,
  standardHeaders,
} from '../../test/webhooks/contract-request.ts';
import { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders } from './index.ts';

const now = () => sentAt;
const replayable = { allowReplayableRequests: true };
const { body, headers } = contractRequest();
const onlyContract = contractHeader(envelope, secret);
const onlyStandard = standardHeaders(envelope.eventId, body, [secret]);
const third = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const verify = (rawBody: string, sent: WebhookHeaders, options: VerifyOptions = {}): Promise<WebhookEvent> =>
  verifyWebhook(rawBody, sent, secret, { now, ...options });

const code = (expected: string) =>
  expect.objectContaining({ name: 'WebhookVerificationError', code: expected });

describe('a request of the service', () => {
  test('is returned as its event, with the time read as UTC', async () => {
    expect(await verify(body, headers)).toStrictEqual({
      ...envelope,
      kind: 'GroupManagement/NewMember',
      createdAt: new Date('2026-11-21T10:00:00.123Z'),
    });
  });

  test.each([
    ['text', body],
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
    ['a part of a larger buffer', Buffer.from(`xx${body}xx`).subarray(2, -2)],
  ])('may be given as %s', async (_, rawBody) => {
    expect((await verifyWebhook(rawBody, headers, secret, { now })).eventId).toBe(envelope.eventId);
  });

  test.each<[string, WebhookHeaders]>([
    ['fetch Headers', new Headers(headers)],
    ['lower case', headers],
    [
      'upper case',
      Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toUpperCase(), value])),
    ],
    ['lists of one', Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]]))],
    ['others, absent ones too', { ...headers, accept: undefined, 'set-cookie': ['a', 'b'] }],
    ['Standard Webhooks alone', onlyStandard],
    ['a wrong signature beside the right one', { ...headers, 'x-webhook-signature-256': 'sha256=00' }],
    [
      'signatures of other versions',
      { ...onlyStandard, 'webhook-signature': `v1a,xyz ${onlyStandard['webhook-signature']}` },
    ],
  ])('may carry its headers as: %s', async (_, sent) => {
    expect((await verify(body, sent)).eventId).toBe(envelope.eventId);
  });

  test("may have only the contract's header if that is allowed", async () => {
    await expect(verify(body, onlyContract)).rejects.toEqual(code('MissingTimestamp'));
    for (const sent of [onlyContract, { ...headers, 'webhook-signature': 'v1,00' }, onlyStandard, headers])
      expect((await verify(body, sent, replayable)).eventId).toBe(envelope.eventId);
  });

  test('is also returned for a kind that this version does not support', async () => {
    const request = contractRequest({
      ...envelope,
      eventType: 'Tournament',
      eventAction: 'Won',
      event: { place: 1 },
    });
    expect(await verify(request.body, request.headers)).toMatchObject({
      kind: 'unknown',
      eventType: 'Tournament',
      eventAction: 'Won',
      event: { place: 1 },
    });
    const inherited = contractRequest({ ...envelope, eventType: '__proto__', eventAction: 'constructor' });
    expect((await verify(inherited.body, inherited.headers)).kind).toBe('unknown');
  });

  test('has the fields of its kind', async () => {
    const webhook = await verify(body, headers);
    if (webhook.kind === 'GroupManagement/NewMember') {
      expectTypeOf(webhook.eventAction).toEqualTypeOf<'NewMember'>();
      expectTypeOf(webhook.event.code).toEqualTypeOf<string | undefined>();
    }
    if (webhook.kind === 'Bounty/BountyReward')
      expectTypeOf(webhook.event.bountyRewards[0]?.amount).toEqualTypeOf<number | undefined>();
    if (webhook.kind === 'unknown') {
      expectTypeOf(webhook.eventType).toEqualTypeOf<string>();
      expectTypeOf(webhook.event.anything).toEqualTypeOf<unknown>();
    }
  });
});

describe('a secret', () => {
  const rotating = contractRequest(envelope, [secret, otherSecret]);

  test.each([
    ['the old', secret],
    ['the new', otherSecret],
    ['both', [otherSecret, secret]],
    ['a foreign one and the new', [third, otherSecret]],
  ])('verifies in a rotation: %s', async (_, known) => {
    expect((await verifyWebhook(rotating.body, rotating.headers, known, { now })).eventId).toBe(
      envelope.eventId,
    );
  });

  test('may be given with a new one before the service uses it', async () => {
    await expect(verifyWebhook(body, headers, otherSecret, { now })).rejects.toEqual(
      code('InvalidSignature'),
    );
    expect((await verifyWebhook(body, headers, [otherSecret, secret], { now })).eventId).toBe(
      envelope.eventId,
    );
  });

  test.each<[string, string | string[]]>([
    ['another', otherSecret],
    ['two others', [otherSecret, third]],
    ['without its prefix', secret.slice('whsec_'.length).toLowerCase()],
  ])('that is wrong verifies nothing: %s', async (_, wrong) => {
    for (const sent of [headers, onlyContract, onlyStandard])
      await expect(verifyWebhook(body, sent, wrong, { now, ...replayable })).rejects.toEqual(
        code('InvalidSignature'),
      );
  });

  test.each([
    ['prefixed and base64', secret],
    ['base64 without prefix', secret.slice('whsec_'.length)],
  ])('that is %s gives its bytes as the key of Standard Webhooks', async (_, key) => {
    const sent = standardHeaders(envelope.eventId, body, [key]);
    expect((await verifyWebhook(body, sent, key, { now })).eventId).toBe(envelope.eventId);
  });

  test('that is not base64 is used as the key itself', async () => {
    const { createHmac } = await import('node:crypto');
    const timestamp = String(sentAt / 1_000);
    const digest = createHmac('sha256', 'hush-é')
      .update(`${envelope.eventId}.${timestamp}.${body}`)
      .digest('base64');
    const sent = { ...onlyStandard, 'webhook-signature': `v1,${digest}` };
    expect((await verifyWebhook(body, sent, 'hush-é', { now })).eventId).toBe(envelope.eventId);
    const byContract = contractHeader(envelope, 'hush-é');
    expect((await verifyWebhook(body, byContract, 'hush-é', { now, ...replayable })).eventId).toBe(
      envelope.eventId,
    );
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['empty', ''],
    ['an empty list', []],
    ['a list with an empty one', [secret, '']],
    ['with a line end', `${secret}\n`],
    ['without prefix, with a line end', 'hush\n'],
    ['cut off', secret.slice(0, -3)],
    ['a prefix alone', 'whsec_'],
    ['eleven', Array.from({ length: 11 }, () => secret)],
  ])('that is invalid is a TypeError: %s', async (_, wrong) => {
    await expect(verifyWebhook(body, headers, wrong as string, { now })).rejects.toThrow(TypeError);
  });

  test('signs like the published example of Standard Webhooks', async () => {
    const example = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const at = { now: () => 1_614_265_330_000 };
    const verifyExample = (text: string) =>
      verifyWebhook(text, example, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', at);
    // The example's body is not one of our events, but that is checked only after the signature.
    await expect(verifyExample('{"test": 2432232314}')).rejects.toEqual(code('InvalidBody'));
    await expect(verifyExample('{"test": 2432232315}')).rejects.toEqual(code('InvalidSignature'));
  });
});

describe('tampering', () => {
  test.each(['eventId', 'createdAt', 'event'] as const)(
    'with %s is detected by either form',
    async (field) => {
      const changed = {
        eventId: '01a1fc3e-64b1-75ff-9d00-533d2bb49ddf',
        createdAt: '2026-11-21 10:00:00.124000',
        event: { ...envelope.event, memberId: 'm-2' },
      };
      const tampered = JSON.stringify({ ...envelope, [field]: changed[field] });
      for (const sent of [headers, onlyContract, onlyStandard])
        await expect(verify(tampered, sent, replayable)).rejects.toEqual(code('InvalidSignature'));
    },
  );

  test.each(['eventType', 'eventAction'])('with %s is detected by Standard Webhooks', async (field) => {
    const tampered = JSON.stringify({ ...envelope, [field]: 'RemovedMember' });
    await expect(verify(tampered, onlyStandard)).rejects.toEqual(code('InvalidSignature'));
    await expect(verify(tampered, headers)).rejects.toEqual(code('InvalidSignature'));
  });

  test('with white space is detected by Standard Webhooks', async () => {
    await expect(verify(`${body} `, onlyStandard)).rejects.toEqual(code('InvalidSignature'));
  });

  test.each(Object.keys(onlyStandard))('with the header %s is detected', async (name) => {
    const value = onlyStandard[name] ?? '';
    const digit = name === 'webhook-timestamp' ? String((Number(value.at(-1)) + 1) % 10) : '_';
    const tampered = { ...onlyStandard, [name]: `${value.slice(0, -1)}${digit}` };
    await expect(verify(body, tampered)).rejects.toEqual(code('InvalidSignature'));
  });

  test.each([
    ['another digit', (value: string) => `${value.slice(0, -1)}${value.endsWith('0') ? 1 : 0}`],
    ['upper case', (value: string) => value.toUpperCase()],
    ['no prefix', (value: string) => value.slice('sha256='.length)],
    ['another prefix', (value: string) => value.replace('sha256', 'sha1')],
    ['cut off', (value: string) => value.slice(0, -2)],
    ['twice', (value: string) => `${value}, ${value}`],
    ['nothing', () => ''],
  ])("with the contract's header is detected: %s", async (_, change) => {
    const sent = { 'x-webhook-signature-256': change(onlyContract['x-webhook-signature-256'] ?? '') };
    await expect(verify(body, sent, replayable)).rejects.toEqual(code('InvalidSignature'));
  });

  test("with webhook-id is detected although the contract's signature is valid", async () => {
    for (const sent of [onlyContract, headers])
      await expect(verify(body, { ...sent, 'webhook-id': 'other' }, replayable)).rejects.toEqual(
        code('IdMismatch'),
      );
    const signed = standardHeaders('other', body, [secret]);
    await expect(verify(body, signed)).rejects.toEqual(code('IdMismatch'));
  });

  test.each([
    ['no header at all', {}],
    ['unrelated ones', { 'x-signature': 'sha256=00' }],
    [
      'an id and a timestamp alone',
      { 'webhook-id': envelope.eventId, 'webhook-timestamp': headers['webhook-timestamp'] },
    ],
  ])('by leaving out headers is detected: %s', async (_, sent) => {
    await expect(verify(body, sent)).rejects.toEqual(code('MissingSignature'));
  });

  test('with thousands of signatures is rejected before anything is computed', async () => {
    const signatures = `${'v1,AAAA '.repeat(5_000)}${headers['webhook-signature']}`;
    await expect(verify(body, { ...headers, 'webhook-signature': signatures })).rejects.toEqual(
      code('TooManySignatures'),
    );
  });
});

describe('an old request', () => {
  const at = (awaySeconds: number) => ({ now: () => sentAt + awaySeconds * 1_000 });

  test.each([0, 299, 300, 300.9, -300])('is accepted %d s after it was sent', async (away) => {
    expect((await verify(body, headers, at(away))).eventId).toBe(envelope.eventId);
  });

  test.each([301, -301, 86_400, Number.NaN])('is rejected %d s after it was sent', async (away) => {
    for (const sent of [
      headers,
      onlyStandard,
      { ...onlyContract, 'webhook-timestamp': headers['webhook-timestamp'] },
    ])
      await expect(verify(body, sent, { ...at(away), ...replayable })).rejects.toEqual(
        code('StaleTimestamp'),
      );
  });

  test('may be as old as the receiver allows', async () => {
    expect((await verify(body, headers, { ...at(3_600), toleranceSeconds: 3_600 })).eventId).toBe(
      envelope.eventId,
    );
    await expect(verify(body, headers, { ...at(1), toleranceSeconds: 0 })).rejects.toEqual(
      code('StaleTimestamp'),
    );
    for (const toleranceSeconds of [-1, Number.NaN])
      await expect(verify(body, headers, { toleranceSeconds })).rejects.toThrow(TypeError);
  });

  test.each(['', '-1', '1e9', '1795255230.5', '0x6b', ' 1', 'now', '9'.repeat(13)])(
    'with the timestamp %j is rejected',
    async (timestamp) => {
      await expect(verify(body, { ...headers, 'webhook-timestamp': timestamp })).rejects.toEqual(
        code('InvalidTimestamp'),
      );
    },
  );

  test('cannot be replayed without its timestamp', async () => {
    for (const options of [{}, { allowReplayableRequests: false }])
      await expect(verify(body, onlyContract, options)).rejects.toEqual(code('MissingTimestamp'));
    for (const sent of [headers, onlyStandard])
      for (const name of ['webhook-id', 'webhook-timestamp']) {
        const { [name]: _, ...rest } = sent as Record<string, string>;
        await expect(verify(body, rest)).rejects.toEqual(code('MissingTimestamp'));
      }
  });

  test.each(['MissingTimestamp', 'InvalidSignature'])(
    'cannot be replayed with a new timestamp: %s',
    async (why) => {
      const later = sentAt + 86_400_000;
      const { 'webhook-signature': signature, ...unsigned } = headers;
      const refreshed = {
        ...unsigned,
        'webhook-timestamp': String(later / 1_000),
        ...(why === 'InvalidSignature' && { 'webhook-signature': signature }),
      };
      await expect(verify(body, refreshed, { now: () => later })).rejects.toEqual(code(why));
    },
  );
});

describe('a body', () => {
  test('that was parsed is rejected with instructions', async () => {
    for (const parsed of [JSON.parse(body), undefined, null, 5])
      await expect(verifyWebhook(parsed, headers, secret, { now })).rejects.toEqual(
        expect.objectContaining({
          code: 'InvalidBody',
          message: expect.stringContaining('not the parsed body'),
        }),
      );
  });

  test('over 1 MiB in bytes is rejected', async () => {
    const of = (length: number) => contractRequest({ ...envelope, event: { text: 'x'.repeat(length) } });
    const largest = of(2 ** 20 - of(0).body.length);
    expect((await verify(largest.body, largest.headers)).eventId).toBe(envelope.eventId);
    const larger = of(2 ** 20 - of(0).body.length + 1);
    await expect(verify(larger.body, larger.headers)).rejects.toEqual(code('BodyTooLarge'));
    await expect(verify('é'.repeat(2 ** 19 + 1), headers)).rejects.toEqual(code('BodyTooLarge'));
    await expect(verify('x'.repeat(2 ** 24), headers)).rejects.toEqual(code('BodyTooLarge'));
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"eventId":'],
    ['a list', `[${body}]`],
    ['null', 'null'],
    ['a byte order mark', `\uFEFF${body}`],
    ['no eventId', JSON.stringify({ ...envelope, eventId: '' })],
    ['no type', JSON.stringify({ ...envelope, eventType: 1 })],
    ['no action', JSON.stringify({ ...envelope, eventAction: null })],
    ['no event', JSON.stringify({ ...envelope, event: 'text' })],
    ['a list as event', JSON.stringify({ ...envelope, event: [] })],
    ...[
      '2026-11-21T10:00:00.123Z',
      '2026-11-21 10:00:00.123',
      '2026-02-30 10:00:00.123000',
      '2026-11-21 24:00:00.000000',
      '2026-13-21 10:00:00.123000',
      'yesterday',
    ].map((createdAt) => [createdAt, JSON.stringify({ ...envelope, createdAt })]),
    [
      'nested ten thousand times',
      `${body.slice(0, -1)},"event":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
  ])('that is not an event is rejected, with a valid signature or not: %s', async (_, text) => {
    const signed = standardHeaders(envelope.eventId, text ?? '', [secret]);
    await expect(verify(text ?? '', signed)).rejects.toEqual(code('InvalidBody'));
    await expect(verify(text ?? '', onlyContract, replayable)).rejects.toEqual(code('InvalidBody'));
  });

  test('that is not UTF-8 is not read as a similar one', async () => {
    const replaced = { ...envelope, event: { name: '\uFFFD' } };
    const bytes = Buffer.from(JSON.stringify(replaced));
    const at = bytes.indexOf(0xef);
    const broken = Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), bytes.subarray(at + 3)]);
    const sent = contractHeader(replaced, secret);
    expect((await verifyWebhook(bytes, sent, secret, { now, ...replayable })).event).toEqual(replaced.event);
    await expect(verifyWebhook(broken, sent, secret, { now, ...replayable })).rejects.toEqual(
      code('InvalidBody'),
    );
  });
});

test('errors do not contain secrets', async () => {
  for (const sent of [
    {},
    { ...headers, 'x-webhook-signature-256': 'sha256=00', 'webhook-signature': 'v1,00' },
  ]) {
    const error = await verify(body, sent).catch((thrown: unknown) => thrown as Error);
    expect(String((error as Error).stack)).not.toContain(secret.slice(6));
    expect(String((error as Error).message)).not.toMatch(/[0-9a-f]{16}/);
  }
});
