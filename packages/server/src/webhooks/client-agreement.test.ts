import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks/index.ts';
import { testSealer } from '../../test/sealer.ts';
import type { EventId } from '../platform/database/tables.generated.ts';
import { newRowId, toEndpointId } from '../platform/ids.ts';
import { signatureHeaders, toBody } from './delivery/send/signature.ts';
import { newSecret, secretPlace, secretsInUse } from './endpoints/secrets.ts';
import { eventKinds } from './event-kinds.ts';
import { toEventText } from './event-text.ts';

const key = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/^(0|[1-9]\d*)$/.test(text));
const payload = fc.dictionary(
  key,
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger().filter((value) => !Object.is(value, -0)),
    fc.boolean(),
  ),
);

const endpointId = toEndpointId('we_1');
const seal = (secret: string): string => testSealer.seal(secret, secretPlace('aurora', endpointId));

test('the client verifies what the service signs, with each secret of a rotation and with either form of signature', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.constantFrom(...eventKinds),
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      fc.boolean(),
      fc.constantFrom('both', 'contract', 'standard'),
      async (event, kind, at, isRotating, form) => {
        const [secret, next] = [newSecret(), newSecret()];
        const envelope = { eventId: newRowId<EventId>(), createdAt: at, kind, event: toEventText(event) };
        const body = toBody(envelope);
        const secrets = secretsInUse(
          {
            publisherId: 'aurora',
            endpointId,
            secret: seal(secret),
            next_secret: isRotating ? seal(next) : null,
            rotation_started_at: isRotating ? at : null,
          },
          testSealer,
          at,
        );
        const headers = Object.fromEntries(
          Object.entries(signatureHeaders(envelope, body, secrets, at)).filter(
            ([name]) => form === 'both' || name.startsWith('x-webhook') === (form === 'contract'),
          ),
        );
        const options = { now: () => at.getTime(), allowReplayableRequests: form === 'contract' };
        const verified = await verifyWebhook(body, headers, secret, options);
        expect(verified).toMatchObject({ kind, eventId: envelope.eventId, createdAt: at });
        expect(verified.event).toEqual(JSON.parse(envelope.event));
        if (isRotating && form !== 'contract') await verifyWebhook(body, headers, next, options);
        await expect(verifyWebhook(body, headers, newSecret(), options)).rejects.toThrow();
      },
    ),
    { numRuns: 200 },
  );
});
