import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bounty } from '../../test/bounties.ts';
import type { Browser } from '../../test/browser.ts';
import { operations } from '../../test/money.ts';
import { endSandbox } from '../../test/months.ts';
import { type MailedNotice, noticeIn, useNotices } from '../../test/notices.ts';
import { portalOrigin, portalUrl } from '../../test/portal.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import type { SignedInPerson } from '../../test/staff.ts';
import { testActor } from '../../test/test-actor.ts';
import { completeBounties } from '../bounties/complete/complete-bounties.ts';
import type { Portal } from '../portal/create-portal.ts';
import { sendNotices } from '../portal/notices/send-notices.ts';
import type { LineResult } from '../settlement/payouts/results/result.ts';

const house = await useNotices();
const { service, creator, makeGroup, earn, settle, create, markPaid, db, query, sent, later } = house;

const minuteMs = 60_000;
const at = '?publisher=aurora';
const all = ['paid', 'returned', 'membership', 'first-sale', 'bounty'];
let boss: SignedInPerson;
let groups = 0;

beforeAll(async () => {
  boss = await house.owner();
});

/** Creates a group whose member A is a person of the portal and whose member B is not. */
async function furnish(): Promise<{ groupId: string; from: Browser; email: string; memberId: string }> {
  groups += 1;
  const [groupId, email] = [`told${groups}`, `told-${groups}@example.com`];
  await makeGroup(groupId, 'holdDays: 0, name: Stars,');
  const memberId = `acc_${groupId}_A`;
  return { groupId, email, memberId, from: await creator(email, memberId) };
}

/** Creates a payout of both members. @returns its id */
async function payout(groupId: string): Promise<string> {
  await earn(groupId, 'A', 4_520);
  await earn(groupId, 'B', 77_777);
  await settle();
  const [batch] = await create(groupId);
  return batch?.batchId ?? '';
}

const turn = (from: Browser, subject: string, isOn: boolean) =>
  from.post('/notifications', { subject, isOn });
const notices = () =>
  query(sql<{ kind: string; status: string }>`select kind, status from creator_notice order by notice_id`);

/** Returns the reference of a creator's line in a payout. */
async function referenceOf(from: Browser): Promise<string> {
  const [line] = (await from.get(`/payouts${at}`)).body.rows;
  return line.reference;
}

const set = (payoutId: string, reference: string, result: LineResult, note: string | null = null) =>
  operations.setResults(db(), testActor, {
    publisherId: 'aurora',
    payoutId,
    results: [{ line: 1, reference, result, note, problem: null }],
    isDryRun: false,
  });

describe('a creator is told', () => {
  test('of a payment, once, even if the payout is marked as paid twice and concurrently', async () => {
    const { groupId, from, email } = await furnish();
    await turn(from, 'first-sale', false);
    const payoutId = await payout(groupId);
    expect(await sent()).toEqual([]);
    await Promise.all([markPaid(payoutId), markPaid(payoutId), markPaid(payoutId)]);
    await markPaid(payoutId);
    const [mail, ...more] = await sent();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: email, title: 'Aurora Games paid you' });
    const reference = await referenceOf(from);
    for (const text of ['45.20 USD', reference, `${portalUrl}/payouts/`, 'Turn off emails about payments'])
      expect(mail?.text).toContain(text);
    expect(mail?.title).not.toContain('45');
    expect(mail?.text).not.toContain('777.77');
    expect(mail?.listUnsubscribe).toBe(
      `<${portalOrigin}/portal/v1/auth/unsubscribe?token=${mail?.unsubscribeToken}>`,
    );
    expect(mail?.text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(await sent()).toEqual([]);
  });

  test('of a payment that failed or came back, with the note, and of each line once', async () => {
    const { groupId, from } = await furnish();
    await turn(from, 'first-sale', false);
    const payoutId = await payout(groupId);
    const reference = await referenceOf(from);
    await set(payoutId, reference, 'Sent');
    expect(await sent()).toEqual([]);
    await set(payoutId, reference, 'Paid');
    expect((await sent()).map(({ title }) => title)).toEqual(['Aurora Games paid you']);
    // The line was told of already.
    await markPaid(payoutId);
    expect(await sent()).toEqual([]);
    await Promise.all([1, 2, 3].map(() => set(payoutId, reference, 'Returned', 'Account closed')));
    const [back, ...more] = await sent();
    expect(more).toEqual([]);
    expect(back?.title).toBe("A payment from Aurora Games didn't reach you");
    for (const text of ['45.20 USD', reference, 'Account closed', 'came back to Aurora Games'])
      expect(back?.text).toContain(text);
    const next = await payout(groupId);
    await set(next, await referenceOf(from), 'Failed');
    expect((await sent()).map(({ text }) => text.includes("couldn't make this payment"))).toEqual([true]);
  });

  test('of the approval, the refusal and the end of a membership, without the reason', async () => {
    const { groupId, from, memberId } = await furnish();
    const member = `/members/${memberId}`;
    const pending = () => house.provisionGroup(groupId, `members: [ { id: ${memberId}, status: Pending } ]`);
    const remove = () => boss.ask('POST', `${member}/remove?group=${groupId}`, { reason: 'secret reason' });
    const titles = async () => (await sent()).map(({ title }) => title);
    await pending();
    expect(await titles()).toEqual([]);
    expect(await boss.ask('POST', `${member}/approve?group=${groupId}`)).toMatchObject({ status: 200 });
    await boss.ask('POST', `${member}/approve?group=${groupId}`);
    expect(await titles()).toEqual(['Aurora Games approved you']);
    expect(await remove()).toMatchObject({ status: 200 });
    const [removed] = await sent();
    expect(removed?.title).toBe('You are no longer a creator of Aurora Games');
    expect(removed?.text).not.toContain('secret reason');
    await pending();
    await remove();
    expect(await titles()).toEqual(["Aurora Games didn't approve you"]);
    await house.provisionGroup(groupId, `members: [ { id: ${memberId}, status: Approved } ]`);
    expect(await titles()).toEqual(['Aurora Games approved you']);
    expect(from.cookies).not.toBe('');
  });

  test('of the first purchase, and of no later one', async () => {
    const { groupId, email } = await furnish();
    await earn(groupId, 'B', 300);
    await settle();
    expect(await sent()).toEqual([]);
    for (const amount of [100, 200]) await earn(groupId, 'A', amount);
    await earn(groupId, 'A', 100, { currency: 'EUR' });
    await settle();
    const [mail, ...more] = await sent();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: email, title: 'Your first sale' });
    expect(mail?.text).toContain('in Stars for the first time');
    await earn(groupId, 'A', 100, { transactionDate: '2023-01-01T00:00:00Z' });
    await earn(groupId, 'A', 100, { currency: 'EUR' });
    await settle();
    expect(await sent()).toEqual([]);
    await house.expectSound();
  });
});

test('a creator is told of a completed bounty, the first time', async () => {
  const { groupId, from, email } = await furnish();
  await turn(from, 'first-sale', false);
  const selling = bounty({
    id: `sell-${groupId}`,
    name: 'Sell a lot',
    objectives: [{ name: 'Sell', type: 'Purchase', condition: 'Count', count: 1 }],
    rewards: [{ name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD' }],
    limit: 5,
  });
  await house.provisionGroup(groupId, `bounties: ${JSON.stringify([selling])}`);
  const sell = async () => {
    await earn(groupId, 'A', 100, { transactionDate: new Date().toISOString() });
    await settle();
    while ((await completeBounties(db(), 'aurora', new Date())).checked > 0);
  };
  await sell();
  const [mail, ...more] = await sent();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: email, title: 'You completed a bounty from Aurora Games' });
  expect(mail?.text).toContain('Sell a lot');
  await sell();
  expect(await sent()).toEqual([]);
});

describe('a subject', () => {
  test('is turned off by its owner alone, at once, and without others', async () => {
    const [one, two] = [await furnish(), await furnish()];
    expect((await one.from.get('/notifications')).body).toEqual({
      email: one.email,
      subjects: all.map((subject) => ({ subject, isOn: true })),
    });
    for (const { groupId } of [one, two]) await markPaid(await payout(groupId));
    // Turned off between the change and the email.
    const turned = await turn(one.from, 'paid', false);
    expect(turned).toMatchObject({
      status: 200,
      body: { subjects: all.map((subject) => ({ subject, isOn: subject !== 'paid' })) },
    });
    const mails = await sent();
    expect(mails.map(({ to, title }) => [to, title]).sort()).toEqual(
      [
        [one.email, 'Your first sale'],
        [two.email, 'Aurora Games paid you'],
        [two.email, 'Your first sale'],
      ].sort(),
    );
    const before = await notices();
    await markPaid(await payout(one.groupId));
    expect(await notices()).toEqual(before);
    await turn(one.from, 'paid', true);
    await markPaid(await payout(one.groupId));
    expect((await sent()).map(({ title }) => title)).toEqual(['Aurora Games paid you']);
  });

  test('keeps concurrent changes of other subjects, and is not stored twice', async () => {
    const { from, email } = await furnish();
    await Promise.all([...all, 'paid', 'paid', 'bounty'].map((subject) => turn(from, subject, false)));
    const [stored] = await query(sql<{ off: string[] }>`
      select off_subjects as off from portal_user where email = ${email}`);
    expect([...(stored?.off ?? [])].sort()).toEqual([...all].sort());
  });

  test.each([
    [{ subject: 'nothing', isOn: false }],
    [{ subject: 'paid' }],
    [{ subject: 'paid', isOn: 'no' }],
    [{ subject: 'paid', isOn: false, userId: 'x' }],
    [[]],
  ])('is not changed by %j', async (body) => {
    const { from } = await furnish();
    expect(await from.post('/notifications', body)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
    const { subjects } = (await from.get('/notifications')).body;
    expect(subjects.every(({ isOn }: { isOn: boolean }) => isOn)).toBe(true);
  });
});

describe('the link of an email', () => {
  const post = (token: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(`${service().url}/portal/v1/auth/unsubscribe?token=${token}`, {
      method: 'POST',
      body: body ?? null,
      headers,
    });
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');

  test.each<[string, RequestInit['body'], Record<string, string>]>([
    ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), {}],
    ['a multipart form', form, {}],
    ['JSON', '{}', { 'content-type': 'application/json' }],
    [
      'another site’s form',
      new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
    ],
  ])(
    'turns its subject off with %s, and without a sign-in, but not by being opened',
    async (_, body, headers) => {
      const { groupId, from } = await furnish();
      await turn(from, 'first-sale', false);
      await markPaid(await payout(groupId));
      const [mail] = await sent();
      const token = mail?.unsubscribeToken ?? '';
      expect(mail?.listUnsubscribe).toContain(`?token=${token}>`);
      const show = async () => (await house.browser().get(`/auth/subscription?token=${token}`)).body;
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        for (const path of [`/portal/v1/auth/unsubscribe?token=${token}`, '/creators/unsubscribe'])
          await fetch(service().url + path, { method, redirect: 'manual' });
      const opened = await fetch(`${service().url}/portal/v1/auth/unsubscribe?token=${token}`, {
        redirect: 'manual',
      });
      expect([opened.status, opened.headers.get('location')]).toEqual([
        303,
        `${portalUrl}/unsubscribe#${token}`,
      ]);
      expect(await show()).toEqual({ subject: 'paid', isOn: true });
      const [payload = '', signature] = token.split('.');
      const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('paid', 'returned'));
      for (const wrong of [`${token}x`, payload, 'x', `${forged.toString('base64url')}.${signature}`])
        expect([wrong, (await post(wrong, body, headers)).status]).toEqual([wrong, 404]);
      expect((await post(token, body, headers)).status).toBe(200);
      expect((await post(token, body, headers)).status).toBe(200);
      expect(await show()).toEqual({ subject: 'paid', isOn: false });
      const { subjects } = (await from.get('/notifications')).body;
      const off = ['paid', 'first-sale'];
      expect(subjects).toEqual(all.map((subject) => ({ subject, isOn: !off.includes(subject) })));
    },
  );

  test('is missing in an email about a payout method, which can’t be turned off', async () => {
    const { from, email } = await furnish();
    for (const subject of all) await turn(from, subject, false);
    const method = {
      ...{ kind: 'paypal', holderName: 'Maria Muster', holderType: 'individual', country: 'DE' },
      email: 'maria@example.com',
    };
    await from.post(`/payout-methods/codes${at}`, method);
    const { code } = await house.nextMail();
    expect(await from.post(`/payout-methods${at}`, { ...method, code })).toMatchObject({ status: 200 });
    const [mail] = await sent();
    expect(mail).toMatchObject({ to: email, listUnsubscribe: null });
    expect(mail?.text).toMatch(/This wasn(?:’|=E2=80=99)t me/);
  });
});

describe('no email reaches', () => {
  test('a person whose account was disconnected, or who was erased, after the change', async () => {
    const [one, two] = [await furnish(), await furnish()];
    for (const { groupId } of [one, two]) await markPaid(await payout(groupId));
    expect(await boss.ask('DELETE', `/members/${one.memberId}/portal`)).toMatchObject({ status: 200 });
    await query(sql`update creator_account set closed_at = now() where account_id = ${two.memberId}`);
    expect(await sent()).toEqual([]);
    const left = await query(sql<{ status: string }>`
      select distinct status from creator_notice where account_id in (${one.memberId}, ${two.memberId})`);
    expect(left).toEqual([{ status: 'Nothing' }]);
  });

  test('a creator of a sandbox', async () => {
    const { groupId } = await furnish();
    await query(sql`update publisher set sandbox_of = 'rival' where publisher_id = 'aurora'`);
    const before = await notices();
    await markPaid(await payout(groupId));
    expect(await notices()).toEqual(before);
    await endSandbox(service().testDatabase.adminConnection);
  });
});

test('an email whose process dies while it sends is sent again, and is the same', async () => {
  const { groupId, from } = await furnish();
  await turn(from, 'first-sale', false);
  await markPaid(await payout(groupId));
  const refusing: Portal = { ...house.portal(), sendMail: async () => false };
  expect(await sent(refusing)).toEqual([]);
  const crashing = openCrashingDatabase(service().testDatabase.connection);
  const arrived = house.sink().mails.length;
  let deaths = 0;
  for (let statement = 1; (await notices()).at(-1)?.status === 'Waiting'; statement += 1)
    await later(statement * 10 * minuteMs, async () => {
      const dying = crashing.db({ beforeStatement: statement });
      await sendNotices(house.portal(), dying, 'aurora').catch((error: unknown) => {
        expect(String(error)).toMatch(crashMessage);
        deaths += 1;
      });
    });
  await crashing.close();
  expect(deaths).toBeGreaterThan(3);
  const mails: MailedNotice[] = [];
  for (let index = arrived; index < house.sink().mails.length; index += 1)
    mails.push(noticeIn(await house.sink().next()));
  // It arrives again only if the process died between sending it and storing that.
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  expect(await later(24 * 60 * minuteMs, () => sent())).toEqual([]);
});

describe('killed before any of its statements, nothing is told and nothing is paid by', () => {
  let crashing: CrashingDatabase;
  beforeAll(() => {
    crashing = openCrashingDatabase(service().testDatabase.connection);
  });
  afterAll(() => crashing?.close());

  test('marking a payout as paid', async () => {
    const { groupId, from } = await furnish();
    await turn(from, 'first-sale', false);
    const payoutId = await payout(groupId);
    const saved = async () => [
      await notices(),
      await query(sql`select status from payout_batch where batch_id = ${payoutId}::uuid`),
    ];
    const before = await saved();
    let kills = 0;
    for (let statement = 1; statement < 40; statement += 1) {
      const process = crashing.db({ beforeStatement: statement });
      const isDone = await operations
        .markPayoutPaid(process, testActor, { publisherId: 'aurora', payoutId })
        .then(
          () => true,
          (error: unknown) => {
            expect(String(error)).toMatch(crashMessage);
            return false;
          },
        );
      if (isDone) break;
      kills += 1;
      expect([statement, await saved()]).toEqual([statement, before]);
    }
    expect(kills).toBeGreaterThan(5);
    expect((await sent()).map(({ title }) => title)).toEqual(['Aurora Games paid you']);
  });
});
