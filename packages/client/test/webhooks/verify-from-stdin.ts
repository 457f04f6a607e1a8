import { text } from 'node:stream/consumers';
import { verifyWebhook } from '../../src/webhooks/index.ts';
import { secret, sentAt } from './contract-request.ts';

/**
 * Verifies the requests on standard input, one per line. This script runs in a separate process, because a
 * process has only one time zone.
 */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
process.stdout.write(`${zone}\n`);
for (const line of (await text(process.stdin)).trim().split('\n')) {
  const { body, headers } = JSON.parse(line) as { body: string; headers: Record<string, string> };
  const webhook = await verifyWebhook(body, headers, secret, {
    now: () => sentAt,
    allowReplayableRequests: true,
  }).catch(() => null);
  process.stdout.write(`${webhook === null ? 'refused' : webhook.createdAt.toISOString()}\n`);
}
