// Receiver of webhooks for Node 20 or newer, without dependencies:
//   WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
// The key is the part after the prefix, decoded from base64.
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

// Any client can send to this address, so do not buffer more of a body than an event needs.
const maxBodyBytes = 1024 * 1024;
// Old requests are rejected, so that they can't be replayed. The tolerance allows for small clock
// differences.
const toleranceSeconds = 300;

// An event can arrive twice. This set forgets the oldest events, and all of them when the process ends; a real
// receiver records processed events in its database, in the transaction that processes them.
const maxSeen = 1_000;
const seen = new Set();

const server = createServer(async (request, response) => {
  const answer = (status, text) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
  if (request.method !== 'POST') return answer(405, 'POST only');
  if (!(Number(request.headers['content-length']) <= maxBodyBytes)) {
    response.setHeader('connection', 'close');
    return answer(413, 'too large, or of unknown length');
  }
  let webhook;
  try {
    webhook = verified(await bodyOf(request), request.headers);
  } catch {
    // The body isn't JSON or isn't an event, or the connection broke.
    webhook = null;
  }
  if (webhook === null) return answer(403, 'wrong signature, or an old request');
  if (!seen.has(webhook.eventId)) {
    seen.add(webhook.eventId);
    if (seen.size > maxSeen) seen.delete(seen.values().next().value);
    // Put slow work into a queue: the service waits 15 seconds for the response.
    console.log(`${webhook.eventType}/${webhook.eventAction} ${webhook.eventId}`);
  }
  return answer(200, 'OK');
});
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
);

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the event, or null if it is not from the service or is too old. */
function verified(body, headers) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const secondsAway = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || secondsAway > toleranceSeconds) return null;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // During a rotation there are two signatures, separated by a space.
  const signatures = (headers['webhook-signature'] ?? '').split(' ', 16);
  if (!signatures.some((signature) => equal(`v1,${digest}`, signature))) return null;
  const webhook = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  return webhook.eventId === id ? webhook : null;
}

/** Compares two strings in constant time. */
function equal(expected, sent) {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
