import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writtenEntries } from '../../test/audit.ts';
import { auroraProgram, purchase, rivalProgram } from '../../test/fixtures.ts';
import { settleAll } from '../../test/money.ts';
import { testSealer } from '../../test/sealer.ts';
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts';
import { type SignedInPerson, signIn } from '../../test/staff.ts';
import { startService, type TestService } from '../../test/test-service.ts';
import { newRowId } from '../platform/ids.ts';
import { mailSender } from '../platform/mail/send-mail.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { createSender } from '../webhooks/delivery/send/send-request.ts';
import { createNotifier, type Notifier, type NotifierDeps } from './notifier.ts';

let sink: SmtpSink;
let service: TestService;
let now = new Date('2026-05-05T00:00:00Z');
const clock = { now: () => now };
let secretKey = '';
const lines: string[] = [];

beforeAll(async () => {
  sink = await startSmtpSink();
  service = await startService({ environment: { SMTP_URL: sink.url }, clock });
  const keys = await service.provision(auroraProgram);
  await service.provision(rivalProgram);
  secretKey = keys.find(({ name }) => name === 'backend')?.key ?? '';
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

/** Creates another process's notifier. */
const newNotifier = (changed: Partial<NotifierDeps> = {}): Notifier =>
  createNotifier({
    db: service.testDatabase.database.background,
    clock,
    sealer: testSealer,
    sender: createSender({ clock, allowPrivateTargets: true }),
    sendMail: mailSender({ smtpUrl: sink.url, mailFrom: 'Aurora <no-reply@aurora.example>' }),
    origin: 'https://creators.example.com',
    publicUrl: 'https://creators.example.com',
    metrics: createMetrics(),
    log: createLog('warn', clock, (line) => lines.push(line)),
    ...changed,
  });

const daily = (timeZone: string, hour: number, subjects: string[], version: string) => ({
  version,
  timeZone,
  hour,
  daily: subjects,
  weekly: [],
  immediate: [],
});

async function choose(person: SignedInPerson, subjects: string[], timeZone = 'Europe/Berlin', hour = 8) {
  const { version } = (await person.ask('GET', '/notifications')).body;
  const saved = await person.ask('PUT', '/notifications', daily(timeZone, hour, subjects, version));
  expect(saved).toMatchObject({ status: 200, body: { daily: expect.any(Array) } });
  return saved.body;
}

/** Runs rounds until nothing is due. @returns the emails that arrived */
async function sendAll(...notifiers: Notifier[]): Promise<string[]> {
  const before = sink.mails.length;
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      notifiers.map(async (notifier) => {
        for (const publisherId of await notifier.duePublishers()) await notifier.sendDue(publisherId);
      }),
    );
  return sink.mails.slice(before);
}

const textOf = (mail: string): string => mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
const recipientsOf = (mails: readonly string[]): string[] =>
  mails.map((mail) => /^To: (\S+)/m.exec(mail)?.[1] ?? '').sort();

test('a person saves a choice for their role, against stale edits and wrong input; a token has none', async () => {
  const viewer = await signIn(service, 'viewer');
  const found = await viewer.ask('GET', '/notifications');
  expect(found.body).toMatchObject({
    isDefault: true,
    daily: [],
    weekly: [],
    immediate: [],
    digestSubjects: ['money', 'creators', 'payouts', 'ledger'],
    immediateSubjects: [],
    hasMail: true,
  });
  const { version } = found.body;
  const put = (changed: object) =>
    viewer.ask('PUT', '/notifications', { ...daily('UTC', 8, ['money'], version), ...changed });
  for (const wrong of [
    { timeZone: 'Mars/Base' },
    { timeZone: '+02:00' },
    { hour: 24 },
    { daily: ['salaries'] },
    { daily: ['money', 'money'] },
    { weekly: ['money'] },
  ])
    expect(await put(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
  expect(await put({})).toMatchObject({
    status: 200,
    body: { isDefault: false, nextDailyAt: '2026-05-05T08:00:00.000Z', nextWeeklyAt: null },
  });
  expect(await put({ hour: 9 })).toMatchObject({ status: 409, body: { code: 'Stale' } });
  expect(await viewer.ask('GET', '/admin/v1/publishers/rival/notifications')).toMatchObject({ status: 404 });
  const entries = await writtenEntries(service.testDatabase.database.db);
  expect(entries.filter(({ action }) => action === 'notifications.put')).toHaveLength(1);
  await service.testDatabase.database.db.deleteFrom('notification_choice').execute();
});

test('a digest compares money by currency, and is sent once by two processes and after an outage', async () => {
  const record = (json: object[]) =>
    service.call('POST', '/v1/attributions/transactions', { key: secretKey, json });
  now = new Date('2026-05-04T12:00:00Z');
  expect(
    await record([
      purchase({ transactionDate: '2026-05-03T12:00:00Z', subtotal: 10_000 }),
      purchase({ transactionDate: '2026-05-04T12:00:00Z', subtotal: 12_500 }),
      purchase({ transactionDate: '2026-05-04T13:00:00Z', subtotal: 250, currency: 'JPY' }),
    ]),
  ).toMatchObject({ status: 200 });
  await settleAll(service.testDatabase.database.db);
  const owner = await signIn(service, 'owner', { email: 'ines@example.com' });
  const viewer = await signIn(service, 'viewer', { email: 'vera@example.com' });
  const bored = await signIn(service, 'developer', { email: 'dev@example.com' });
  now = new Date('2026-05-04T18:00:00Z');
  await choose(owner, ['money', 'creators', 'webhooks', 'requests', 'payouts', 'ledger']);
  await choose(viewer, ['money', 'webhooks', 'requests']); // accepted, but the role sees only the money
  await choose(bored, ['requests']); // none were refused
  await owner.ask('POST', '/endpoints', { url: 'https://game.example/hooks' });
  await service.testDatabase.database.db
    .updateTable('webhook_endpoint')
    .set({ failing_since: now })
    .execute();
  // Digests announce clearances 30 days before they end, so only Alice's is in this one.
  for (const [member, days] of [
    ['acc_alice', 29],
    ['acc_bob', 31],
  ] as const) {
    const until = new Date(Date.parse('2026-05-05T06:00:00Z') + days * 86_400_000).toISOString();
    await service.testDatabase.database.db
      .insertInto('payee_gate')
      .values({
        ...{ publisher_id: 'aurora', gate_id: newRowId(), account_id: member, kind: 'tax', note: 'W-9' },
        ...{ from_at: new Date('2026-01-01T00:00:00Z'), until_at: new Date(until), set_at: now },
        ...{ set_by_kind: 'staff', set_by_id: 'x', set_by_name: 'x' },
      } as never)
      .execute();
  }
  now = new Date('2026-05-05T05:59:59Z');
  expect(await sendAll(newNotifier())).toEqual([]);
  await service.provision(`
    publisher: { id: aurora, accent: "#7a1fa2" }
    groups: [ { id: main, holdDays: 0, payoutCalendar: { dayOfMonth: 4, withinDays: 0 } } ]`);
  await service.testDatabase.database.db
    .updateTable('creator_group')
    .set({ payout_calendar_set_at: new Date('2026-05-01T00:00:00Z') } as never)
    .execute();
  // 8:00 in Berlin is 6:00 UTC.
  now = new Date('2026-05-05T06:00:00Z');
  const mails = await sendAll(newNotifier(), newNotifier());
  expect(recipientsOf(mails)).toEqual(['ines@example.com', 'vera@example.com']);
  const [toOwner = ''] = mails.filter((mail) => mail.includes('ines@example.com')).map(textOf);
  expect(toOwner).toContain('Subject: Aurora Games: your day, May 4, 2026');
  expect(toOwner).toMatch(/USD +May 4 +May 3/);
  expect(toOwner).toMatch(/Gross \(\+25\.0%\) +125\.00 +100\.00/);
  expect(toOwner).toMatch(/Gross +250 +0/);
  expect(toOwner).toContain('Creators waiting for approval');
  expect(toOwner).toMatch(
    /Overdue in Aurora Creators: +Planned for May 4, 2026, overdue since May [5-9], 2026/,
  );
  expect(toOwner).toContain('Tax clearances that end within 30 days: 1');
  expect(toOwner).toContain('https://game.example/hooks: Failing since');
  expect(toOwner).toContain(
    'https://creators.example.com/p/aurora/overview?from=2026-05-04&until=2026-05-05',
  );
  expect(toOwner).toContain('bgcolor="#7a1fa2"'); // the publisher's accent
  expect(toOwner).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  const [toViewer = ''] = mails.filter((mail) => mail.includes('vera@example.com')).map(textOf);
  expect(toViewer).toContain('125.00');
  expect(toViewer).not.toMatch(/Creators waiting|Tax clearances|game\.example/);

  // After a time zone change, the same period isn't sent again.
  await choose(owner, ['money', 'creators'], 'Europe/London', 8);
  now = new Date('2026-05-05T07:30:00Z');
  expect(await sendAll(newNotifier())).toEqual([]);

  // After a three-day outage, the owner gets only the last period, once.
  now = new Date('2026-05-08T20:00:00Z');
  const late = await sendAll(newNotifier(), newNotifier());
  expect(recipientsOf(late)).toEqual(['ines@example.com']); // the viewer's two days were both empty
  expect(textOf(late[0] ?? '')).toContain('Subject: Aurora Games: your day, May 7, 2026');
  expect(await sendAll(newNotifier())).toEqual([]);
});

test('a killed process loses no digest, and failures are retried and then abandoned', async () => {
  const { db } = service.testDatabase.database;
  await db.deleteFrom('notification_choice').execute();
  const owner = await signIn(service, 'owner', { email: 'kim@example.com' });
  now = new Date('2026-06-01T00:00:00Z');
  await choose(owner, ['creators'], 'UTC', 1);
  now = new Date('2026-06-01T01:00:00Z');
  let attempts = 0;
  const down = newNotifier({
    sendMail: async () => {
      attempts += 1;
      throw new Error('connection refused');
    },
  });
  // Simulates a process that dies while sending: the digest is written and taken, but never finished.
  const hanging = newNotifier({ sendMail: () => new Promise(() => undefined) });
  void hanging.sendDue('aurora');
  await expect.poll(() => waiting(), { timeout: 10_000 }).toEqual([{ attempt_count: 1 }]);
  expect(await sendAll(newNotifier())).toEqual([]); // it may still be at work
  now = new Date('2026-06-01T01:05:01Z');
  await sendAll(down);
  expect(attempts).toBe(1);
  now = new Date('2026-06-01T01:10:02Z');
  // While another process takes the notification, this one neither waits nor sends it.
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from notification where status = 'Waiting' for update`.execute(tx);
    expect(await sendAll(newNotifier())).toEqual([]);
  });
  const mails = await sendAll(newNotifier());
  expect(recipientsOf(mails)).toEqual(['kim@example.com']);
  expect(await waiting()).toEqual([]);

  const start = new Date('2026-06-02T01:00:00Z').getTime();
  attempts = 0;
  for (let hours = 0; hours < 22; hours += 0.5) {
    now = new Date(start + hours * 3_600_000);
    await sendAll(down);
  }
  expect(attempts).toBe(8);
  expect(await waiting()).toEqual([]);

  // The mail server's reason is logged and shown to the person, without the address that it repeats.
  now = new Date('2026-06-03T01:00:00Z');
  lines.length = 0;
  const rejected = Object.assign(new Error('550 5.1.1 <kim@example.com>: unknown user'), {
    responseCode: 550,
  });
  await sendAll(newNotifier({ sendMail: () => Promise.reject(rejected) }));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      publisherId: 'aurora',
      kind: 'daily',
      by: 'mail',
      reason: '550 5.1.1 <…>: unknown user',
      msg: "couldn't send a notification, which is abandoned",
    }),
  ]);
  expect(lines.join()).not.toContain('kim@');
  const lastFailure = async () => (await owner.ask('GET', '/notifications')).body.lastFailure;
  expect(await lastFailure()).toBe('550 5.1.1 <…>: unknown user');
  now = new Date('2026-06-04T01:00:00Z');
  expect(await sendAll(newNotifier())).toHaveLength(1);
  expect(await lastFailure()).toBeNull();

  async function waiting() {
    const { rows } = await sql<{ attempt_count: number }>`
      select attempt_count from notification where status = 'Waiting'`.execute(db);
    return rows;
  }
});

test('people who were removed, or lack a required second factor, get nothing', async () => {
  const { db } = service.testDatabase.database;
  await db.deleteFrom('notification_choice').execute();
  now = new Date('2026-07-01T00:00:00Z');
  const owner = await signIn(service, 'owner', { email: 'olga@example.com', confirmedMsAgo: 0 });
  const leaving = await signIn(service, 'manager', { email: 'leo@example.com' });
  const removed = await signIn(service, 'viewer', { email: 'rea@example.com' });
  for (const person of [owner, leaving, removed]) await choose(person, ['creators'], 'UTC', 1);
  await db.deleteFrom('staff').where('user_id', '=', leaving.userId).execute();
  expect(await owner.ask('DELETE', `/staff/${removed.userId}`)).toMatchObject({ status: 200 });
  const choices = await db.selectFrom('notification_choice').select('recipient').execute();
  expect(choices.map(({ recipient }) => recipient).sort()).toEqual(
    [owner, leaving].map(({ userId }) => `staff:${userId}`).sort(),
  );
  now = new Date('2026-07-01T01:00:00Z');
  expect(recipientsOf(await sendAll(newNotifier()))).toEqual(['olga@example.com']);
  await db
    .insertInto('staff_rules')
    .values({ publisher_id: 'aurora', demands_two_factor: true })
    .onConflict((conflict) => conflict.column('publisher_id').doUpdateSet({ demands_two_factor: true }))
    .execute();
  now = new Date('2026-07-02T01:00:00Z');
  expect(await sendAll(newNotifier())).toEqual([]);
  await db.deleteFrom('staff_rules').execute();
});

test('a link in the mail turns its kind off without a sign-in, with any body that mail services send', async () => {
  const { db } = service.testDatabase.database;
  await db.deleteFrom('notification_choice').execute();
  now = new Date('2026-08-01T00:00:00Z');
  const owner = await signIn(service, 'owner', { email: 'uma@example.com' });
  const post = async (
    token: string,
    body: URLSearchParams | FormData | string,
    headers: Record<string, string> = {},
  ) => fetch(`${service.url}/admin/v1/auth/unsubscribe?token=${token}`, { method: 'POST', body, headers });
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  const bodies: [URLSearchParams | FormData | string, Record<string, string>][] = [
    [form, {}],
    [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), {}],
    ['{}', { 'content-type': 'application/json' }],
  ];
  for (const [day, [body, headers]] of bodies.entries()) {
    await choose(owner, ['creators'], 'UTC', 1);
    now = new Date(`2026-08-0${day + 1}T01:00:00Z`);
    const [mail = ''] = await sendAll(newNotifier());
    const token = /auth\/unsubscribe\?token=([\w.-]+)>/.exec(textOf(mail).replace(/\r\n /g, ''))?.[1] ?? '';
    const show = () => service.call('GET', `/admin/v1/auth/subscription?token=${token}`);
    expect((await show()).body).toEqual({ publisherName: 'Aurora Games', kind: 'daily', isOn: true });
    const opened = await fetch(`${service.url}/admin/v1/auth/unsubscribe?token=${token}`, {
      redirect: 'manual',
    });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toMatch(/\/unsubscribe#/);
    expect((await show()).body).toMatchObject({ isOn: true }); // a scanner opened the link
    expect((await post(`${token}x`, body, headers)).status).toBe(404);
    const [payload = '', signature] = token.split('.');
    const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('daily', 'weekly'));
    expect((await post(`${forged.toString('base64url')}.${signature}`, body, headers)).status).toBe(404);
    expect((await post(token, body, headers)).status).toBe(200);
    expect((await post(token, body, headers)).status).toBe(200);
    expect((await show()).body).toMatchObject({ isOn: false });
    expect((await owner.ask('GET', '/notifications')).body).toMatchObject({ daily: [], nextDailyAt: null });
  }
});
