import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSigned, standardSignatures } from '../../test/webhooks.ts';
import { toEventId } from '../platform/ids.ts';
import { type Envelope, signatureHeaders, toBody, toCreatedAt } from './delivery/send/signature.ts';
import { newSecret } from './endpoints/secrets.ts';
import { type EventPayload, type EventValue, toEventText } from './event-text.ts';

const numRuns = Number(process.env.SIGNATURE_RUNS ?? 500);

const hardNumbers = [-0, 0, Number.NaN, 1e21, 1e-7, 2 ** 53, 2 ** 53 - 1, 0.1, 1e-4, 5e-324, 1e16, 1.5e15];
const anyText = fc.oneof(
  { weight: 30, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }, // includes lone surrogates
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u2028\u2029',
      '\u0000\u001f\u007f',
      '"\\/\b\f',
      '\ud800',
      '\udc00a',
      '😀',
      '\u00e9',
      'e\u0301',
    ),
  },
);
const anyKey = fc.oneof(
  { weight: 20, arbitrary: anyText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON', '0', '12', '01', '-1', '4294967296'),
  },
);
const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    { weight: 4, arbitrary: fc.maxSafeInteger() },
    { weight: 4, arbitrary: fc.maxSafeInteger().map((n) => n / 1_000_000) },
    fc.constantFrom(...hardNumbers),
    fc.double(),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(anyKey, tie('value')), { maxLength: 5 })
    .map((entries) => objectOf(entries as [string, unknown][])),
})).object;

/** Builds an object whose properties are all own properties, including `__proto__`, as JSON.parse does. */
function objectOf(entries: readonly [string, unknown][]): object {
  const object = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** Returns the text of a payload, or null if the payload is rejected. */
function textOf(payload: unknown): string | null {
  try {
    return toEventText(payload as EventPayload);
  } catch {
    return null;
  }
}

const envelopeOf = (event: string, createdAtMs: number): Envelope => ({
  eventId: toEventId('0199a0b0-0000-7000-8000-00000000abcd'),
  createdAt: new Date(createdAtMs),
  kind: 'GroupManagement/NewMember',
  event,
});
const moments = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2999, 0) });

test(
  'rejects an event or signs text that survives a JSON round trip byte for byte',
  () => {
    const secret = newSecret();
    let signed = 0;
    fc.assert(
      fc.property(anyValue, moments, moments, (payload, createdAtMs, sentAtMs) => {
        const text = textOf(payload);
        if (text === null) return;
        signed += 1;
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
        const envelope = envelopeOf(text, createdAtMs);
        const body = toBody(envelope);
        const secrets = { contract: secret, standard: [secret] };
        const headers = signatureHeaders(envelope, body, secrets, new Date(sentAtMs));
        expect(JSON.stringify(JSON.parse(body)), 'the whole body survives as well').toBe(body);
        expect(isSigned({ headers, body }, secret)).toBe(true);
        expect(standardSignatures({ headers, body }, secret)).toBe(1);
        expect(isSigned({ headers, body }, newSecret()), 'with another secret').toBe(false);
      }),
      { numRuns },
    );
    expect(signed, 'payloads that were not rejected').toBeGreaterThan(numRuns / 10);
  },
  30_000 + numRuns,
);

test('Python gets the same bytes when it parses and serializes an event', () => {
  const texts = new Set<string>();
  for (const payload of fc.sample(anyValue, 5_000)) {
    const text = textOf(payload);
    if (text !== null) texts.add(text);
  }
  const lines = [...texts];
  expect(lines.length).toBeGreaterThan(2_000);
  const program = `
import json, sys
for line in sys.stdin.buffer.read().split(b"\\n"):
    again = json.dumps(json.loads(line.decode()), ensure_ascii=False, separators=(",", ":"))
    sys.stdout.buffer.write(again.encode() + b"\\n")`;
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n').slice(0, -1)).toEqual(lines);
});

describe('rejects values that a receiver could sign differently, at any depth', () => {
  const refused: [string, EventValue][] = [
    ['negative zero', -0],
    ['not a number', Number.NaN],
    ['infinity', Number.NEGATIVE_INFINITY],
    ['a number of 22 digits', 1e21],
    ['a number past 2^53 − 1', 2 ** 53],
    ['a negative number past it', -(2 ** 53)],
    ['a number with an exponent', 1e-7],
    ['a number that Python writes with an exponent', 0.000_099],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00'],
    ['a key that is a number', { 12: 'a' }],
    ['the key 0', { 0: 'a' }],
    ['a key that is a lone surrogate', { '\ud800': 1 }],
  ];
  test.each(refused)('%s', (_what, value) => {
    for (const payload of [{ a: value }, { a: { b: value } }, { a: [1, [value]] }])
      expect(() => toEventText(payload)).toThrow();
  });

  test.each<[string, EventValue]>([
    ['the largest safe number', 2 ** 53 - 1],
    ['a small decimal', 0.0001],
    ['a percent', 33.3333],
    ['a key with a leading zero', { '01': 1 }],
    ['a negative key', { '-1': 1 }],
    ['__proto__', JSON.parse('{"__proto__":{"a":1}}')],
    ['U+2028', '\u2028'],
    ['U+0000', '\u0000'],
    ['an absent value', undefined],
  ])('but not %s', (_what, value) => {
    const text = toEventText({ a: value, z: 1 });
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    expect(text).toBe(JSON.stringify({ a: value, z: 1 }));
  });
});

describe('the envelope', () => {
  test('has a createdAt with microseconds that end in 000, and is compact JSON in the order of the contract', () => {
    const envelope = envelopeOf('{"memberId":"a"}', Date.UTC(2027, 0, 2, 3, 4, 5, 67));
    expect(toCreatedAt(envelope.createdAt)).toBe('2027-01-02 03:04:05.067000');
    expect(toBody(envelope)).toBe(
      '{"eventId":"0199a0b0-0000-7000-8000-00000000abcd","createdAt":"2027-01-02 03:04:05.067000",' +
        '"eventType":"GroupManagement","eventAction":"NewMember","event":{"memberId":"a"}}',
    );
  });

  test('has a createdAt in this form for any time, which parses as UTC to the same time', () => {
    fc.assert(
      fc.property(moments, (ms) => {
        const text = toCreatedAt(new Date(ms));
        expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}000$/);
        expect(Date.parse(`${text.replace(' ', 'T')}Z`)).toBe(ms);
      }),
    );
  });

  test('has known signatures, computed with Python', () => {
    const envelope = envelopeOf('{"memberId":"a"}', Date.UTC(2027, 0, 2, 3, 4, 5, 67));
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='; // the bytes 0 to 31
    const secrets = { contract: secret, standard: [secret] };
    expect(signatureHeaders(envelope, toBody(envelope), secrets, new Date(1_800_000_000_999))).toEqual({
      'x-webhook-signature-256': 'sha256=201580abd43bf29c8ba9499357323fec7eb7df694fa12ce3155df55ab237d63e',
      'webhook-id': envelope.eventId,
      'webhook-timestamp': '1800000000',
      'webhook-signature': 'v1,TDSCMZC87XMolRDkgPPzaq0O1I5pN/LnPGVcZ4ZahDI=',
    });
  });
});
