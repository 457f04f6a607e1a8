import { expect, test } from 'vitest';
import { contractRequest, envelope, secret, sentAt } from '../../test/webhooks/contract-request.ts';
import { signWebhook, verifyWebhook } from './index.ts';

test('signs the same request that the service would send', async () => {
  const createdAt = new Date('2026-11-21T10:00:00.123Z');
  expect(await signWebhook({ ...envelope, createdAt }, secret, { now: () => sentAt })).toStrictEqual(
    contractRequest(),
  );
});

test('generates an absent id and time, which verify now', async () => {
  const { eventType, eventAction, event } = envelope;
  const one = await signWebhook({ eventType, eventAction, event }, secret);
  const other = await signWebhook({ eventType, eventAction, event }, secret);
  expect(one.headers['webhook-id']).not.toBe(other.headers['webhook-id']);
  const webhook = await verifyWebhook(one.body, one.headers, secret);
  expect(webhook.event).toEqual(event);
});

test('rejects an invalid secret with a TypeError', async () => {
  await expect(signWebhook(envelopeOf(), 'whsec_')).rejects.toThrow(TypeError);
});

function envelopeOf() {
  return { eventType: 'Webhook', eventAction: 'Test', event: {} };
}
