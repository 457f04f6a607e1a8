import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ContractEnvelope,
  contractHeader,
  contractRequest,
  secret,
  sentAt,
  standardHeaders,
} from '../../test/webhooks/contract-request.ts';
import { signWebhook, verifyWebhook, WebhookVerificationError } from './index.ts';

/** Number of random requests for each property; a million requests take about two hours. */
const numRuns = Number(process.env.SIGNATURE_RUNS ?? 500);
const timeoutMs = 30_000 + numRuns * 10;
const replayable = { allowReplayableRequests: true };
const now = () => sentAt;

/** Well-formed text, with many characters that are escaped or easily corrupted. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '/',
      '\u2028',
      '\u2029',
      '<',
      '>',
      '&',
      "'",
      '\n',
      '\u007f',
      '\u0000',
      'é',
      '🎮',
      '\uFFFD',
      '\uFEFF',
      '\u0301',
    ),
    maxLength: 20,
  }),
);
const key = text.filter((name) => !/^\d+$/.test(name));
const number = fc.oneof(
  fc.maxSafeInteger(),
  // Plain decimals, such as percentages.
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((tenThousandths) => tenThousandths / 10_000),
  fc.double({ min: 1e-4, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 12 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));
const request = fc.record<ContractEnvelope>({
  eventId: fc.oneof(
    fc.uuid(),
    text.filter((id) => id !== '' && !/[^\x21-\x7e]/.test(id)),
  ),
  createdAt: fc
    .integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) })
    .map((ms) => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}000`),
  eventType: text,
  eventAction: text,
  event: fc.dictionary(key, value, { maxKeys: 8 }),
});

describe('any event', () => {
  test('verifies when signed by the service, by each form alone', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const { body, headers } = contractRequest(sent);
        const expected = {
          ...sent,
          kind: 'unknown',
          createdAt: new Date(`${sent.createdAt.replace(' ', 'T').slice(0, -3)}Z`),
        };
        for (const each of [
          headers,
          contractHeader(sent, secret),
          standardHeaders(sent.eventId, body, [secret]),
        ]) {
          const webhook = await verifyWebhook(body, each, secret, { now, ...replayable });
          expect(JSON.stringify(webhook.event)).toBe(JSON.stringify(sent.event));
          expect({ ...webhook, event: sent.event }).toStrictEqual(expected);
        }
      }),
      { numRuns },
    );
  });

  test('is signed by signWebhook as by the service', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const createdAt = new Date(`${sent.createdAt.replace(' ', 'T').slice(0, -3)}Z`);
        expect(await signWebhook({ ...sent, createdAt }, secret, { now })).toStrictEqual(
          contractRequest(sent),
        );
      }),
      { numRuns },
    );
  });
});

describe('a flipped bit', () => {
  test("in the body fails, also with the contract's header", {
    timeout: timeoutMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(), async (sent, nth) => {
        const { body, headers } = contractRequest(sent);
        const flipped = flip(Buffer.from(body), nth);
        const standard = standardHeaders(sent.eventId, body, [secret]);
        await expectRefusal(verifyWebhook(flipped, standard, secret, { now }));
        await expectRefusal(verifyWebhook(flipped, headers, secret, { now }));
      }),
      { numRuns },
    );
  });

  test("in the body fails by the contract's header, or is in a part that it does not sign", {
    timeout: timeoutMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(), async (sent, nth) => {
        const flipped = flip(Buffer.from(JSON.stringify(sent)), nth);
        const byContract = contractHeader(sent, secret);
        const webhook = await verifyWebhook(flipped, byContract, secret, { now, ...replayable }).catch(
          refusedOnly,
        );
        if (webhook === null) return;
        // The signature doesn't cover the type, the action or the microseconds. It also doesn't cover which
        // of two escapes represents a character.
        expect(webhook.eventId).toBe(sent.eventId);
        expect(webhook.createdAt.toISOString().replace('T', ' ')).toBe(sent.createdAt.replace(/...$/, 'Z'));
        expect(JSON.stringify(webhook.event)).toBe(JSON.stringify(sent.event));
      }),
      { numRuns },
    );
  });

  test('in a header fails', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(), async (sent, nth) => {
        const body = JSON.stringify(sent);
        for (const headers of [contractHeader(sent, secret), standardHeaders(sent.eventId, body, [secret])]) {
          for (const name of Object.keys(headers)) {
            const value = flip(Buffer.from(headers[name] ?? ''), nth).toString('latin1');
            const changed = { ...headers, [name]: value };
            await expectRefusal(verifyWebhook(body, changed, secret, { now, ...replayable }));
          }
        }
      }),
      { numRuns },
    );
  });

  test('in the secret fails', { timeout: timeoutMs }, async () => {
    const { body, headers } = contractRequest();
    for (let bit = 0; bit < 256; bit += 1) {
      const other = `whsec_${flip(Buffer.from(secret.slice(6), 'base64'), bit).toString('base64')}`;
      await expectRefusal(verifyWebhook(body, headers, other, { now }));
    }
  });
});

function flip(bytes: Buffer, nth: number): Buffer {
  const bit = nth % (bytes.length * 8);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes;
}

async function expectRefusal(verified: Promise<unknown>): Promise<void> {
  await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
}

function refusedOnly(error: unknown): null {
  if (error instanceof WebhookVerificationError) return null;
  throw error;
}
