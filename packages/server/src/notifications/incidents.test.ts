import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { writtenEntries } from '../../test/audit.ts';
import { auroraProgram, rivalProgram } from '../../test/fixtures.ts';
import { answer, type Receiver, startReceiver } from '../../test/receiver.ts';
import { testSealer } from '../../test/sealer.ts';
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts';
import { signIn } from '../../test/staff.ts';
import { startService, type TestService } from '../../test/test-service.ts';
import { mailSender } from '../platform/mail/send-mail.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { createSender } from '../webhooks/delivery/send/send-request.ts';
import { createNotifier, type Notifier } from './notifier.ts';

let sink: SmtpSink;
let chat: Receiver;
let service: TestService;
let now = new Date('2026-05-05T00:00:00Z');
const clock = { now: () => now };
const lines: string[] = [];
const people: Record<string, Awaited<ReturnType<typeof signIn>>> = {};

beforeAll(async () => {
  sink = await startSmtpSink();
  chat = await startReceiver(answer(200, {}, 'ok'));
  service = await startService({
    clock,
    environment: {
      SMTP_URL: sink.url,
      CHANNEL_HOSTS: `127.0.0.1:${chat.port}`,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    },
  });
  await service.provision(auroraProgram);
  await service.provision(rivalProgram);
  for (const [role, email] of [
    ['owner', 'ines@example.com'],
    ['finance', 'fred@example.com'],
    ['developer', 'dev@example.com'],
    ['viewer', 'vera@example.com'],
  ] as const)
    people[role] = await signIn(service, role, { email });
});
afterAll(async () => {
  await service.close();
  await chat.close();
  await sink.close();
});
beforeEach(() => {
  chat.received.length = 0;
  chat.behave(answer(200, {}, 'ok'));
});

const db = () => service.testDatabase.database.db;
const newNotifier = (): Notifier =>
  createNotifier({
    db: service.testDatabase.database.background,
    clock,
    sealer: testSealer,
    sender: createSender({ clock, allowPrivateTargets: true }),
    sendMail: mailSender({ smtpUrl: sink.url, mailFrom: 'no-reply@aurora.example' }),
    origin: 'https://creators.example.com',
    publicUrl: 'https://creators.example.com',
    metrics: createMetrics(),
    log: createLog('warn', clock, (line) => lines.push(line)),
  });
const at = (time: string): void => {
  now = new Date(`2026-05-05T${time}Z`);
};

/** Lets two processes check and send. Returns the recipient and subject of each email that arrived. */
async function tick(): Promise<string[]> {
  const before = sink.mails.length;
  await Promise.all(
    [newNotifier(), newNotifier()].map(async (notifier) => {
      for (const publisherId of await notifier.changedPublishers()) await notifier.detect(publisherId);
      for (const publisherId of await notifier.duePublishers()) await notifier.sendDue(publisherId);
    }),
  );
  return sink.mails
    .slice(before)
    .map((mail) => {
      const unfolded = mail.replace(/\r\n[ \t]/g, ' ');
      return `${/^To: (\w+)/m.exec(unfolded)?.[1]}: ${/^Subject: (.*)\r$/m.exec(unfolded)?.[1]}`;
    })
    .sort();
}

const lastMail = (): string => (sink.mails.at(-1) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');

const fail = (since: string | null): Promise<unknown> =>
  sql`update webhook_endpoint set failing_since = ${since === null ? null : new Date(`2026-05-05T${since}Z`)}`.execute(
    db(),
  );

test('endpoints that fail together are one mail, when they begin and when they end', async () => {
  for (let each = 0; each < 5; each += 1)
    await people.owner?.ask('POST', '/endpoints', { url: `https://game.example/hooks/${each}?key=secret` });
  await fail('10:00:00');
  at('10:04:00');
  expect(await tick()).toEqual([]); // most failures are over by now
  at('10:05:00');
  const begun = 'Aurora Games: 5 webhook endpoints are failing';
  expect(await tick()).toEqual([`dev: ${begun}`, `ines: ${begun}`]);
  expect(lastMail()).toContain('https://game.example/hooks/0?=E2=80=A6 has been failing since May 5');
  expect(lastMail()).not.toContain('key=secret');
  at('10:30:00');
  expect(await tick()).toEqual([]);
  await fail(null);
  at('10:31:00');
  const ended = 'Aurora Games: 5 webhook endpoints have stopped failing';
  expect(await tick()).toEqual([`dev: ${ended}`, `ines: ${ended}`]);
  // If an endpoint fails again right away, its mail is delayed, and the incident is over before the mail is due.
  await fail('10:31:30');
  at('10:36:31');
  expect(await tick()).toEqual([]);
  await fail(null);
  at('10:38:00');
  expect(await tick()).toEqual([]);
  at('10:41:01');
  expect((await tick()).map((mail) => mail.replace(/:.*/, ''))).toEqual(['dev', 'ines']);
  expect(lastMail()).toContain('works again');
});

test('only people who may mark a payout as paid are notified that it needs a second person', async () => {
  await db().insertInto('staff_rules').values({ publisher_id: 'aurora', four_eyes_payouts: true }).execute();
  const payoutId = '0190f000-0000-7000-8000-000000000001';
  await sql`
    insert into payout_batch
      (publisher_id, batch_id, group_id, currency, status, as_of, total_minor, member_count, row_count, created_at,
       created_by_kind, created_by_id, created_by_name, number)
    values
      ('aurora', ${payoutId}, 'main', 'USD', 'Created', now(), 123450, 2, 3, ${now}, 'staff', ${people.finance?.userId}, 'Fred', 9001)`.execute(
    db(),
  );
  at('12:00:00');
  expect(await tick()).toEqual(['ines: Aurora Games: a payout of 1,234.50 USD needs a second person']);
  expect(lastMail()).toContain(`https://creators.example.com/p/aurora/payouts/${payoutId}`);
  await sql`
    update payout_batch
    set status = 'Paid', paid_at = ${now}, paid_by_kind = 'staff', paid_by_id = ${people.owner?.userId}, paid_by_name = 'Ines'`.execute(
    db(),
  );
  at('13:00:00');
  expect(await tick()).toEqual([]); // the owner marked it
});

test('an unsound ledger is reported once, and again when it is sound', async () => {
  const verified = (status: string, time: string): Promise<unknown> =>
    sql`
      insert into ledger_verification
        (publisher_id, verification_id, looks_at_all, status, requested_at, requested_by_kind, requested_by_id, requested_by_name,
         ended_at, broken_rule)
      values
        ('aurora', gen_random_uuid(), true, ${status}, ${now}, 'staff', 'x', 'x', ${new Date(`2026-05-05T${time}Z`)},
         ${status === 'Sound' ? null : 'balance'})`.execute(db());
  await verified('NotExplained', '14:00:00');
  at('14:00:05');
  const begun = 'Aurora Games: the ledger has an unexplained discrepancy';
  expect(await tick()).toEqual([`fred: ${begun}`, `ines: ${begun}`]);
  const attention = (await people.owner?.ask('GET', '/attention'))?.body;
  expect(attention).toMatchObject({ ledgerUnsoundSince: '2026-05-05T14:00:00.000Z' });
  await verified('NotExplained', '14:10:00');
  at('14:30:00');
  expect(await tick()).toEqual([]);
  await verified('Sound', '15:00:00');
  at('15:00:05');
  const ended = 'Aurora Games: the ledger is sound again';
  expect(await tick()).toEqual([`fred: ${ended}`, `ines: ${ended}`]);
});

test('an owner adds a channel whose address is checked, sealed and never shown', async () => {
  const owner = people.owner?.ask ?? expect.fail();
  const url = `${chat.url.replace('/hooks', '')}/services/T1/B1/verySecretToken`;
  const choice = {
    timeZone: 'UTC',
    hour: 9,
    daily: [],
    weekly: ['money'],
    immediate: ['webhooks', 'ledger'],
  };
  const create = (changed: object) =>
    owner('POST', '/channels', { kind: 'slack', name: 'Ops <!channel>', url, ...choice, ...changed });
  for (const wrong of [
    'nonsense',
    'https://evil.example/services/T1/B1/abc',
    'http://hooks.slack.com/services/T1/B1/abc',
    'https://hooks.slack.com.evil.example/services/T1/B1/abc',
    'https://user:pw@hooks.slack.com/services/T1/B1/abc',
    'https://hooks.slack.com/workflows/T1/B1/abc',
    'https://discord.com/api/webhooks/1/abc',
    'http://10.0.0.1/services/T1/B1/abc',
  ]) {
    const refused = await create({ url: wrong });
    expect(refused, wrong).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(refused.text).not.toContain(wrong);
  }
  for (const role of ['manager', 'finance', 'developer', 'viewer'] as const)
    expect((await (await asRole(service, role))('GET', '/channels')).status).toBe(403);
  const created = await create({});
  expect(created).toMatchObject({
    status: 200,
    body: { addressHint: `127.0.0.1:${chat.port}/…oken`, isEnabled: true, weekly: ['money'] },
  });
  const { channelId, version } = created.body;
  expect(await create({})).toMatchObject({ status: 409 }); // the name is taken
  const rival = await asRole(service, 'owner', 'rival');
  expect((await rival('GET', `/channels/${channelId}`)).status).toBe(404);
  expect((await rival('POST', `/channels/${channelId}/tests`)).status).toBe(404);

  const tested = await owner('POST', `/channels/${channelId}/tests`);
  expect(tested.body).toMatchObject({ isDelivered: true, statusCode: 200, answer: 'ok' });
  expect(chat.received[0]?.path).toBe('/services/T1/B1/verySecretToken');
  chat.behave(answer(404, {}, 'no_service for verySecretToken'));
  expect((await owner('POST', `/channels/${channelId}/tests`)).body).toMatchObject({
    isDelivered: false,
    statusCode: 404,
    answer: 'no_service for …',
  });

  const { status, body } = await owner('PUT', `/channels/${channelId}`, {
    version,
    name: 'Ops',
    ...choice,
    hour: 10,
  });
  expect({ status, name: body.name, hint: body.addressHint }).toEqual({
    status: 200,
    name: 'Ops',
    hint: created.body.addressHint,
  });
  expect(await owner('PUT', `/channels/${channelId}`, { version, name: 'Ops 2', ...choice })).toMatchObject({
    status: 409,
    body: { code: 'Stale' },
  });
  const { rows } = await sql<{ url: string }>`select url from notification_channel`.execute(db());
  expect(rows[0]?.url).toMatch(/^sealed:v1:/);
  const entries = (await writtenEntries(db())).filter(({ action }) =>
    action.startsWith('notification-channel'),
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'notification-channel.create',
    'notification-channel.test',
    'notification-channel.test',
    'notification-channel.change',
  ]);
  expect(JSON.stringify(entries)).not.toContain('verySecret');
});

test('messages reach a channel escaped, are retried, and ten failures disable it', async () => {
  const owner = people.owner?.ask ?? expect.fail();
  const [channel] = (await owner('GET', '/channels')).body.rows;
  await sql`update publisher set name = 'Aurora <!channel> & @everyone' where publisher_id = 'aurora'`.execute(
    db(),
  );
  at('18:00:00');
  await fail('17:00:00');
  await tick();
  expect(chat.received).toHaveLength(1);
  const [{ json } = { json: null }] = chat.received;
  expect(json.text).toBe('Aurora &lt;!channel&gt; &amp; @everyone: 5 webhook endpoints are failing');
  expect(JSON.stringify(json.blocks.slice(1))).not.toMatch(/<!/);
  expect(json.blocks.at(-1).text.text).toBe('<https://creators.example.com/p/aurora/overview|Open Overview>');

  chat.behave(answer(500, {}, 'down for verySecretToken'));
  lines.length = 0;
  await fail(null);
  let minutes = 11;
  for (; minutes < 60 * 40; minutes += 30) {
    now = new Date(new Date('2026-05-05T18:00:00Z').getTime() + minutes * 60_000);
    await tick();
    if (minutes === 11)
      expect((await owner('GET', `/channels/${channel.channelId}`)).body).toMatchObject({
        isEnabled: true,
        failureCount: 1,
        lastFailure: 'HTTP 500: down for …',
      });
    if (minutes % 1_441 === 11 + 30 * 36) await fail('18:00:00');
    if ((await owner('GET', `/channels/${channel.channelId}`)).body.isEnabled === false) break;
    // Starts a second incident, because one message has fewer attempts than the test needs.
    if (minutes > 60 * 18) await fail(minutes % 60 === 11 ? '18:00:00' : null);
  }
  expect((await owner('GET', `/channels/${channel.channelId}`)).body).toMatchObject({
    isEnabled: false,
    failureCount: 10,
    disabledReason: '10 attempts in a row failed. Last failure: HTTP 500: down for …',
  });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    publisherId: 'aurora',
    kind: 'immediate',
    channelId: channel.channelId,
    reason: 'HTTP 500: down for …',
  });
  expect(lines.join()).not.toMatch(/verySecret|services/);
  expect((await owner('GET', '/attention')).body).toMatchObject({ disabledChannels: 1 });
  now = new Date(now.getTime() + 2 * 3_600_000);
  expect(await tick()).toContainEqual(expect.stringMatching(/^ines: .*the channel Ops was disabled/));
  const before = chat.received.length;
  now = new Date(now.getTime() + 24 * 3_600_000);
  await tick();
  expect(chat.received).toHaveLength(before);
  expect(await owner('POST', `/channels/${channel.channelId}/switch`, { isEnabled: true })).toMatchObject({
    status: 200,
    body: { isEnabled: true, disabledReason: null, failureCount: 0 },
  });
  expect(await owner('DELETE', `/channels/${channel.channelId}`)).toMatchObject({ status: 200 });
  expect((await owner('GET', '/channels')).body.rows).toEqual([]);
});
