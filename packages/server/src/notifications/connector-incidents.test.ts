import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../test/connectors.ts';
import { testSealer } from '../../test/sealer.ts';
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts';
import { signIn } from '../../test/staff.ts';
import { respond, type SteamServer, startSteam } from '../../test/steam-server.ts';
import { mailSender } from '../platform/mail/send-mail.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { createSender } from '../webhooks/delivery/send/send-request.ts';
import { createNotifier } from './notifier.ts';

let now = new Date('2026-05-05T10:00:00Z');
const clock = { now: () => now };
const key = '0123456789ABCDEF';
let sink: SmtpSink;
let steam: SteamServer;
beforeAll(async () => {
  sink = await startSmtpSink();
  steam = await startSteam(key);
});
const connectors = useConnectors(clock, () => ({ STEAM_URL: steam.url }));
const { shop, send, deliver, work, poll, owner, service, outcomes } = connectors;
beforeAll(async () => {
  await signIn(service(), 'developer', { email: 'dev@example.com' });
  await signIn(service(), 'viewer', { email: 'vera@example.com' });
});
afterAll(async () => {
  await sink.close();
  await steam.close();
});

const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000);
};

/** Looks for incidents, and sends what is due. @returns the subjects that the developer got, and the last email */
async function tick(): Promise<{ subjects: string[]; text: string }> {
  const before = sink.mails.length;
  const notifier = createNotifier({
    db: service().testDatabase.database.background,
    clock,
    sealer: testSealer,
    sender: createSender({ clock, allowPrivateTargets: true }),
    sendMail: mailSender({ smtpUrl: sink.url, mailFrom: 'no-reply@aurora.example' }),
    origin: 'https://creators.example.com',
    publicUrl: 'https://creators.example.com',
    metrics: createMetrics(),
    log: createLog('silent', clock, () => undefined),
  });
  for (const publisherId of await notifier.changedPublishers()) await notifier.detect(publisherId);
  for (const publisherId of await notifier.duePublishers()) await notifier.sendDue(publisherId);
  const mails = sink.mails.slice(before).map((mail) => mail.replace(/\r\n[ \t]/g, ' '));
  expect(mails.filter((mail) => /^To: vera/m.test(mail))).toEqual([]);
  const own = mails.filter((mail) => /^To: dev/m.test(mail));
  return {
    subjects: own.map((mail) => subjectOf(mail)),
    text: (own.at(-1) ?? '').replaceAll('=\r\n', '').replaceAll('=E2=80=99', '’'),
  };
}

/** Returns the subject of an email, whose apostrophes may be encoded. */
function subjectOf(mail: string): string {
  const text = /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? '';
  const bytes = text
    .replaceAll(/\?= =\?UTF-8\?Q\?|=\?UTF-8\?Q\?|\?=/g, '')
    .replaceAll('_', ' ')
    .replaceAll('%', '%25')
    .replaceAll(/=([0-9A-F]{2})/g, '%$1');
  return decodeURIComponent(bytes);
}

const forge = (to: Shop) => send(to, { id: 'x' }, { secret: 'whsec_wrong' });

test('wrong signatures in a row are reported once, and that they are right again', async () => {
  const stripe = await shop('stripe', { name: 'Webshop' });
  await forge(stripe);
  await forge(stripe);
  later(6);
  expect((await tick()).subjects).toEqual([]); // only two, noted as one
  for (let times = 0; times < 3; times += 1) {
    await forge(stripe);
    later(1);
  }
  const begun = await tick();
  expect(begun.subjects).toEqual(['Aurora Games: the connector Webshop rejects what Stripe sends']);
  expect(begun.text).toContain(`/p/aurora/connectors/${stripe.id}`);
  await forge(stripe);
  later(30);
  expect((await tick()).subjects).toEqual([]);
  await deliver(stripe, 'order_paid', { orderId: 'pi_right' });
  expect((await tick()).subjects).toEqual(['Aurora Games: the connector Webshop accepts requests again']);
  await work();
});

test('a report that can’t be read is reported with its reason, and again when it can be', async () => {
  later(20);
  const to = await shop('steam', { name: 'Steam', secret: key, settings: { steamAppId: '480' } });
  for (let times = 0; times < 3; times += 1) {
    steam.next('480', (response) => respond(response, 403, 'Forbidden'));
    await poll();
    later(4);
  }
  const begun = await tick();
  expect(begun.subjects).toEqual(['Aurora Games: the connector Steam can’t read the report of Steam']);
  expect(begun.text).toContain('rejected the key (status 403)');
  expect(begun.text).not.toContain(key);
  await owner()('POST', `/connectors/${to.id}/secrets`, { secret: key });
  await poll();
  later(11);
  expect((await tick()).subjects).toEqual(['Aurora Games: the connector Steam reads its report again']);
});

test('failed events are reported together, and over when they were replayed, or are a week old', async () => {
  later(20);
  const own = await shop('generic', { name: 'Shop' });
  const event = (id: string, currency: string) => ({
    id,
    type: 'order.paid',
    time: now.toISOString(),
    order: { id, creatorCode: 'ALICE', subtotal: 1_000, currency },
  });
  await send(own, event('a', 'XXX'));
  await send(own, event('b', 'XXX'));
  await work();
  expect(await outcomes(own)).toEqual(['Failed Unreadable', 'Failed Unreadable']);
  expect((await tick()).subjects).toEqual(['Aurora Games: 2 events of the connector Shop failed']);
  await send(own, event('c', 'XXX'));
  await work();
  later(20);
  expect((await tick()).subjects).toEqual([]);
  later(8 * 24 * 60);
  expect((await tick()).subjects).toEqual([
    'Aurora Games: the connector Shop has no failed events of the last seven days',
  ]);
  await send(own, event('d', 'XXX'));
  await work();
  later(20);
  expect((await tick()).subjects).toEqual(['Aurora Games: 1 event of the connector Shop failed']);
  await owner()('DELETE', `/connectors/${own.id}`);
  later(20);
  expect((await tick()).subjects).toEqual(['Aurora Games: the connector Shop was removed']);
});
