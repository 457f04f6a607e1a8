// A receiver of webhooks for Node 20 or newer, without dependencies:
//   WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
// What is behind the prefix, read as base64, is the key.
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

// Anybody can send to this address: do not keep more of a body than any event needs.
const maxBodyBytes = 1024 * 1024;
// A request that somebody has kept must not be sent again later. Clocks differ a little.
const toleranceSeconds = 300;

// An event can come twice. This forgets the oldest, and everything when the process ends: a real receiver
// records processed events in its database, in the transaction that processes them.
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
    // Not JSON, not an event, or the connection broke off.
    webhook = null;
  }
  if (webhook === null) return answer(403, 'wrong signature, or an old request');
  if (!seen.has(webhook.eventId)) {
    seen.add(webhook.eventId);
    if (seen.size > maxSeen) seen.delete(seen.values().next().value);
    // Slow work belongs in a queue: the service waits 15 seconds for the answer.
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

/** The event, or null when it is not from the service, or was sent long ago. */
function verified(body, headers) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const secondsAway = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || secondsAway > toleranceSeconds) return null;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // While a secret is changed there are two, with a space between.
  const signatures = (headers['webhook-signature'] ?? '').split(' ', 16);
  if (!signatures.some((signature) => equal(`v1,${digest}`, signature))) return null;
  const webhook = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  return webhook.eventId === id ? webhook : null;
}

/** Takes the same time wherever the two differ. */
function equal(expected, sent) {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
