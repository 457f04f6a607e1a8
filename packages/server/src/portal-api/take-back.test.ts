import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { at, bank, paypal, useOwnMethods } from '../../test/own-methods.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import type { SignedInPerson } from '../../test/staff.ts';
import { purgeNotices } from '../notices/end-notices.ts';
import type { TypedDestination } from '../payees/check-destination.ts';
import type { Db } from '../platform/database/database.ts';
import { toAccountId } from '../platform/ids.ts';
import type { Portal } from '../portal/create-portal.ts';
import { removeMethod, requestRemoval } from '../portal/methods/remove-method.ts';
import { requestSaving, saveMethod } from '../portal/methods/save-method.ts';
import { takeBack as takeBackAs } from '../portal/methods/take-back.ts';
import { readTakeBackToken } from '../portal/methods/take-back-links.ts';
import { sendNotices } from '../portal/notices/send-notices.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const house = await useOwnMethods();
const { service, creator, makeMember, query, nextMail, owner } = house;
const { clock, later, person, enter, methodsOf, sent, saved } = house;

let boss: SignedInPerson;
beforeAll(async () => {
  boss = await owner();
});

describe('a changed payout method', () => {
  const path = '/auth/payout-method-change';
  const noticeOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as string[])[1] ?? '';
  const takeBack = (token: string) => house.browser().post(`${path}/take-back`, { token });

  test('is taken back by the link: the former one continues, sessions end, and payouts wait for the staff', async () => {
    const { from, memberId, email } = await person();
    await enter(from, paypal('mine@example.com'));
    await sent();
    await enter(from, paypal('thief@example.com'));
    const [{ token, text } = { token: '', text: '' }] = await sent();
    expect(text).toMatch(/This wasn(?:’|=E2=80=99)t me/);
    const before = await saved();
    // Scanners open links with any method, and run scripts.
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const url of ['/creators/not-me', `/portal/v1${path}/take-back`])
        await fetch(service().url + url, { method, redirect: 'manual' });
    expect(await house.browser().post(path, { token })).toMatchObject({
      status: 200,
      body: {
        publisherName: 'Aurora Games',
        kind: 'paypal',
        hint: 't…@example.com',
        change: 'entered',
        isTakenBack: false,
      },
    });
    expect(await saved()).toEqual(before);

    const disputesBefore = (await boss.ask('GET', '/attention')).body.disputedPayees;
    const answers = await Promise.all(Array.from({ length: 4 }, () => takeBack(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await from.get('/session')).toMatchObject({ status: 401 });
    const again = await house.signedIn(email);
    const { methods, isUnderReview } = (await again.get(`/payout-methods${at}`)).body;
    expect(methods).toMatchObject([{ hint: 'm…@example.com', state: 'New', isOwn: true }]);
    expect(isUnderReview).toBe(true);
    expect(await boss.ask('GET', `/members/${memberId}/payees`)).toMatchObject({
      body: {
        rows: [
          { hint: 'm…@example.com', state: 'New' },
          { hint: 't…@example.com', state: 'Ended', endedReason: expect.stringContaining('Taken back') },
          { hint: 'm…@example.com', state: 'Ended' },
        ],
      },
    });
    expect((await boss.ask('GET', '/attention')).body.disputedPayees).toBe(disputesBefore + 1);
    const reviews = (await boss.ask('GET', '/gates?kind=review')).body.rows;
    const review = reviews.find((each: { memberId: string }) => each.memberId === memberId);
    expect(review).toMatchObject({
      note: expect.stringContaining('This wasn’t me'),
      setBy: { name: 'the creator' },
    });
    expect(await boss.ask('POST', `/gates/${review.gateId}/end`, { reason: 'We spoke.' })).toMatchObject({
      status: 200,
    });
    expect((await boss.ask('GET', '/attention')).body.disputedPayees).toBe(disputesBefore);
    expect(await takeBack(token)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already undone') },
    });
    expect(await house.browser().post(path, { token })).toMatchObject({
      status: 200,
      body: { isTakenBack: true },
    });
  });

  test('is taken back with every later change, by the link of the first one', async () => {
    const { from, memberId } = await person();
    await enter(from, paypal('original@example.com'));
    await enter(from, bank('DE02 1203 0000 0000 2020 51'));
    await sent();
    await enter(from, paypal('evil-1@example.com'));
    await enter(from, paypal('evil-2@example.com'));
    const bankId = (await methodsOf(from)).find(({ kind }) => kind === 'sepa').methodId;
    await from.post(`/payout-methods/${bankId}/codes${at}`);
    const { code } = await nextMail();
    expect(await from.post(`/payout-methods/${bankId}/remove${at}`, { code })).toMatchObject({ status: 200 });
    const mails = await sent();
    expect(mails).toHaveLength(3);
    const [first] = await query(sql<{ id: string }>`
      select notice_id as id from creator_notice
      where account_id = ${memberId} and notice_id = any(${mails.map(({ token }) => noticeOf(token))}::uuid[])
      order by changed_at limit 1`);
    const { token = '' } = mails.find((mail) => noticeOf(mail.token) === first?.id) ?? {};
    expect(await takeBack(token)).toMatchObject({ status: 200, body: { hint: 'e…@example.com' } });
    for (const mail of mails) expect((await takeBack(mail.token)).status).toBe(409);
    const open = await query(sql`
      select hint from payee_method where account_id = ${memberId} and ended_at is null order by hint`);
    expect(open).toEqual([{ hint: 'DE… 2051' }, { hint: 'o…@example.com' }]);
  });

  test('is not taken back by a link that was changed, is incomplete, or has expired', async () => {
    const { from } = await person();
    await enter(from, paypal('kept@example.com'));
    const [{ token } = { token: '' }] = await sent();
    const before = await saved();
    const [text = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify(['rival', '0190f000-0000-7000-8000-000000000000'])).toString(
      'base64url',
    );
    const refused = { status: 404, body: { code: 'NotFound' } };
    for (const wrong of [
      'x',
      text,
      `${text}.`,
      `${other}.${signature}`,
      token.slice(0, -1),
      `${text}.${'A'.repeat(signature.length)}`,
      `${text}.${signature}x`,
    ]) {
      expect(await takeBack(wrong)).toMatchObject(refused);
      expect(await house.browser().post(path, { token: wrong })).toMatchObject(refused);
    }
    await later(30 * dayMs, async () => {
      expect(await takeBack(token)).toMatchObject(refused);
      expect(await house.browser().post(path, { token })).toMatchObject(refused);
    });
    expect(await saved()).toEqual(before);
    await later(31 * dayMs, async () => {
      await purgeNotices(service().testDatabase.database.db, clock.now(), new AbortController().signal);
    });
    expect(await query(sql`select 1 from creator_notice`)).toEqual([]);
    expect(await takeBack(token)).toMatchObject(refused);
  });

  test('is told even if the mail server is down or a process dies while it sends', async () => {
    const { from } = await person();
    await enter(from, paypal('told@example.com'));
    const { background } = service().testDatabase.database;
    let isDown = true;
    const flaky: Portal = {
      ...house.portal(),
      sendMail: async (mail) => (isDown ? false : house.portal().sendMail(mail)),
    };
    expect(await sendNotices(flaky, background, 'aurora')).toBe(1);
    expect(await sendNotices(flaky, background, 'aurora')).toBe(0);
    await later(minuteMs, async () => {
      // This process takes the email and dies.
      const dying: Portal = { ...house.portal(), sendMail: () => Promise.reject(new Error('killed')) };
      await expect(sendNotices(dying, background, 'aurora')).rejects.toThrow('killed');
      isDown = false;
      expect(await sendNotices(flaky, background, 'aurora')).toBe(0);
    });
    await later(6 * minuteMs, async () => {
      expect(await sendNotices(flaky, background, 'aurora')).toBe(1);
      expect((await nextMail()).token).not.toBe('');
      expect(await sendNotices(flaky, background, 'aurora')).toBe(0);
    });
  });

  test('pays to neither method in the waiting period, and then to the new one', async () => {
    const { body: settings } = await boss.ask('GET', '/payee-settings');
    await house.provisionGroup('paid', 'holdDays: 0, revShare: 100');
    const memberId = await makeMember('paid', 'PAID');
    const from = await creator('paid@example.com', memberId);
    await boss.ask('PUT', '/payee-settings', { ...settings, waitDays: 0 });
    await enter(from, paypal('usable@example.com'));
    const earnMore = async () => {
      await house.record(purchase({ code: 'PAID', memberSharePercent: 100, subtotal: 1_000 }), {
        query: '?groupId=paid',
      });
      await house.settle();
    };
    const methodOfNext = async () => {
      await earnMore();
      const [batch] = await house.create('paid');
      const rows = await query(sql<{ hint: string | null }>`
        select p.hint from payout_item i
        left join payee_method p on p.publisher_id = 'aurora' and p.method_id = i.method_id
        where i.publisher_id = 'aurora' and i.batch_id = ${batch?.batchId ?? ''}`);
      return rows;
    };
    expect(await methodOfNext()).toEqual([{ hint: 'u…@example.com' }]);
    const { body: changed } = await boss.ask('GET', '/payee-settings');
    await boss.ask('PUT', '/payee-settings', { ...changed, waitDays: 7 });
    await enter(from, paypal('new@example.com'));
    expect(await methodOfNext()).toEqual([{ hint: null }]);
    await sent();
  });
});

describe('killed before any of its statements, nothing is changed by', () => {
  let crashing: CrashingDatabase;
  beforeAll(() => {
    crashing = openCrashingDatabase(service().testDatabase.connection);
  });
  afterAll(() => crashing?.close());

  const maxStatements = 80;
  /** Runs work that is killed before its first statement, then its second one, and so on. @returns the number of kills */
  async function killEverywhere(work: (db: Db) => Promise<unknown>): Promise<number> {
    const before = await saved();
    for (let statement = 1; statement < maxStatements; statement += 1) {
      const isDone = await work(crashing.db({ beforeStatement: statement })).then(
        () => true,
        (error: unknown) => {
          expect(String(error)).toMatch(crashMessage);
          return false;
        },
      );
      if (isDone) {
        expect(await saved()).not.toEqual(before);
        return statement - 1;
      }
      expect([statement, await saved()]).toEqual([statement, before]);
    }
    throw new Error('the operation never completed');
  }

  test('saving, removing and taking back a payout method', async () => {
    const { from, memberId } = await person();
    const [{ user_id: userId = '', session_id: sessionId = '' } = {}] = await query(sql<{
      user_id: string;
      session_id: string;
    }>`
      select c.user_id, s.session_id from portal_user_account c
      join portal_session s on s.user_id = c.user_id where c.account_id = ${memberId}`);
    const changing = {
      ...{ publisherId: 'aurora', userId, sessionId, now: clock.now() },
      secret: await house.portal().readSecret(),
      methods: { sealer: house.portal().sealer, fingerprints: await house.portal().readFingerprints() },
    };
    const source = {};
    const own = [toAccountId(memberId)];
    const typed = paypal('killed@example.com') as TypedDestination;
    const { code } = await requestSaving(house.db(), changing, own, typed);
    // Each kill counts as a try of the code.
    const untried = () => query(sql`update portal_confirmation set tries = 0`);
    expect(
      await killEverywhere(async (db) => {
        await untried();
        await saveMethod(db, changing, { typed, code, source });
      }),
    ).toBeGreaterThan(10);
    const [{ methodId }] = await methodsOf(from);
    const removal = await requestRemoval(house.db(), changing, own, methodId);
    expect(
      await killEverywhere(async (db) => {
        await untried();
        await removeMethod(db, changing, own, { methodId, code: removal.code, source });
      }),
    ).toBeGreaterThan(10);
    const mails = await sent();
    const { token = '' } = mails.at(-1) ?? {};
    const key = readTakeBackToken(changing.secret, token);
    expect(
      await killEverywhere((db) => takeBackAs(db, house.portal().sealer, key, { source, now: clock.now() })),
    ).toBeGreaterThan(10);
    await house.expectSound();
  });
});
