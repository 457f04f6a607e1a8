import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { at, bank, paypal, useOwnMethods } from '../../test/own-methods.ts';
import { portalUrl } from '../../test/portal.ts';
import type { SignedInPerson } from '../../test/staff.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const house = await useOwnMethods();
const { service, sink, creator, makeMember, query, nextMail, owner } = house;
const { later, person, codeFor, enter, methodsOf, sent, saved } = house;

let boss: SignedInPerson;
beforeAll(async () => {
  boss = await owner();
});

describe('a payout method', () => {
  test('is saved with an emailed code, is masked everywhere, waits, and its change is told', async () => {
    const { from, memberId, email } = await person();
    expect((await from.get(`/payout-methods${at}`)).body).toEqual({
      methods: [],
      waitDays: 7,
      isNeeded: false,
      isUnderReview: false,
    });
    const method = paypal('Maria@example.com');
    const requested = await from.post(`/payout-methods/codes${at}`, method);
    expect([requested.status, requested.body]).toEqual([200, { email }]);
    const raw = await sink().next();
    const mailed =
      /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(raw.slice(raw.indexOf('\r\n\r\n')))?.[0] ?? '';
    expect(raw).toContain('M=E2=80=A6@example.com');
    expect(raw).not.toContain('Maria@example.com');
    expect(await query(sql`select 1 from payee_method where account_id = ${memberId}`)).toEqual([]);
    const typed = { ...method, code: mailed.toLowerCase().replace('-', '') };
    expect(await from.post(`/payout-methods${at}`, typed)).toMatchObject({ status: 200, body: {} });

    const [shown, ...more] = await methodsOf(from);
    expect(more).toEqual([]);
    expect(shown).toMatchObject({
      kind: 'paypal',
      hint: 'M…@example.com',
      state: 'New',
      isOwn: true,
      endedAt: null,
      isEndedByOwner: null,
    });
    const waitMs = Date.parse(shown.usableFrom) - Date.parse(shown.enteredAt);
    expect(waitMs).toBe(7 * dayMs);
    const rows = await query(sql`select * from payee_method where account_id = ${memberId}`);
    expect(rows).toMatchObject([
      {
        sealed: expect.stringMatching(/^sealed:v1:/),
        entered_by_kind: 'creator',
        entered_by_name: 'the creator',
        approved_by_kind: 'service',
      },
    ]);
    const revealed = await boss.ask('POST', `/payees/${shown.methodId}/reveal`);
    expect(revealed.body).toMatchObject({ email: 'Maria@example.com', holderName: 'Maria Ñandú' });
    const everything = JSON.stringify([
      rows,
      await query(sql`select * from creator_notice`),
      await query(sql`select * from portal_confirmation`),
      await query(sql`select action, before, after from audit_entry where target = ${`member:${memberId}`}`),
    ]);
    expect(everything).not.toMatch(/Maria@|Ñandú/);
    expect(everything).toContain('payee-method.enter');
    expect(everything).not.toContain(mailed);

    const [notice, ...others] = await sent();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ to: email });
    expect(notice?.link.href.startsWith(`${portalUrl}/not-me#`)).toBe(true);
    expect(await sent()).toEqual([]);
  });

  test('is never saved without a fresh code: none, wrong, of another change, of another session, or too old', async () => {
    const { from, memberId } = await person();
    const [method, other] = [paypal('fresh@example.com'), paypal('other@example.com')];
    const save = (browser: Browser, code: string, typed: object = method) =>
      browser.post(`/payout-methods${at}`, { ...typed, code });
    expect(await from.post(`/payout-methods${at}`, method)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput', message: expect.stringContaining('code') },
    });
    const wrong = {
      status: 400,
      body: { code: 'InvalidInput', message: expect.stringContaining('The code is wrong') },
    };
    expect(await save(from, 'not a code')).toMatchObject(wrong);
    expect(await save(from, '2222-2222')).toMatchObject(wrong);
    const code = await codeFor(from, method);
    expect(await save(from, code, other)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('another change') },
    });
    const neighbor = await person();
    expect(await save(neighbor.from, code)).toMatchObject(wrong);
    // A code that signs in is none that confirms, and the other way round.
    const asked = house.browser();
    await asked.post('/auth/codes', { email: 'signing-in@example.com' });
    expect(await save(from, (await nextMail()).code)).toMatchObject(wrong);
    expect(await from.post('/auth/codes/enter', { code })).toMatchObject({ status: 401 });
    await later(10 * minuteMs, async () => expect(await save(from, code)).toMatchObject(wrong));
    expect(await query(sql`select 1 from payee_method where account_id = ${memberId}`)).toEqual([]);
    const next = await codeFor(from, method);
    expect(await save(from, next)).toMatchObject({ status: 200 });
    expect(await save(from, next, method)).toMatchObject(wrong);
    expect(await methodsOf(from)).toHaveLength(1);
    await sent();
  });

  test('needs a new code after ten wrong ones, even if they are concurrent', async () => {
    const { from } = await person();
    const method = paypal('guessed@example.com');
    const code = await codeFor(from, method);
    const guesses = Array.from({ length: 10 }, () =>
      from.post(`/payout-methods${at}`, { ...method, code: '2222-2222' }),
    );
    for (const guess of await Promise.all(guesses)) expect(guess.status).toBe(400);
    expect(await from.post(`/payout-methods${at}`, { ...method, code })).toMatchObject({
      status: 400,
      body: { message: 'Too many wrong codes. Request a new code.' },
    });
    expect(await methodsOf(from)).toEqual([]);
    await enter(from, method);
    await sent();
  });

  test.each([
    ['holderName', paypal('x@example.com', { holderName: '=1+1' }), 'legal name'],
    ['country', paypal('x@example.com', { country: 'QQ' }), 'two letters'],
    ['email', paypal('nobody'), 'email address of the account'],
    ['email', { ...paypal(''), email: undefined }, 'email address of the account'],
    ['iban', { ...paypal('x@example.com'), iban: 'DE89370400440532013000' }, 'Only a bank account'],
    ['iban', bank('DE89370400440532013001'), 'not a valid IBAN'],
    ['iban', bank('BR1800360305000010009795493C1'), 'SEPA'],
    ['holderName', { ...bank('DE89370400440532013000'), holderName: 'Мария' }, 'Latin letters'],
    ['bic', { ...bank('DE89370400440532013000'), bic: 'X' }, 'not a valid BIC'],
  ])(
    'with a wrong %s is refused before a code is sent, with the staff’s words',
    async (_field, method, words) => {
      const { from } = await person();
      const mails = sink().mails.length;
      const before = await saved();
      const refused = {
        status: 400,
        body: { code: 'InvalidInput', message: expect.stringContaining(words) },
      };
      expect(await from.post(`/payout-methods/codes${at}`, method)).toMatchObject(refused);
      expect(await from.post(`/payout-methods${at}`, { ...method, code: '2222-2222' })).toMatchObject(
        refused,
      );
      expect(await boss.ask('POST', '/members/acc_OWN1/payees', method)).toMatchObject(refused);
      expect(await saved()).toEqual(before);
      expect(sink().mails).toHaveLength(mails);
    },
  );

  test('replaces the current one for its purpose at once, and is not replaced by itself', async () => {
    const { from, memberId } = await person();
    const first = paypal('first@example.com');
    await enter(from, first);
    await enter(from, bank('DE89 3704 0044 0532 0130 00'));
    expect((await methodsOf(from)).map(({ hint }) => hint).sort()).toEqual(['DE… 3000', 'f…@example.com']);
    expect(await from.post(`/payout-methods/codes${at}`, first)).toMatchObject({
      status: 409,
      body: { message: 'This is already your payout method. Nothing was changed.' },
    });
    const [waiting] = [await boss.ask('POST', `/members/${memberId}/payees`, paypal('staff@example.com'))];
    expect(waiting).toMatchObject({ status: 200, body: { state: 'Waiting' } });
    await enter(from, paypal('second@example.com'));
    const methods = await methodsOf(from);
    expect(methods.map(({ hint, state }) => [hint, state]).sort()).toEqual([
      ['DE… 3000', 'New'],
      ['s…@example.com', 'New'],
    ]);
    await sent();
  });

  test('whose account another creator has is checked by the staff first', async () => {
    const [one, two] = [await person(), await person()];
    await enter(one.from, paypal('shared@example.com'));
    await enter(two.from, paypal('Shared@example.com'));
    const [method] = await methodsOf(two.from);
    expect(method).toMatchObject({ state: 'Waiting', usableFrom: null });
    const waiting = (await boss.ask('GET', '/payees?waiting=true')).body.rows;
    expect(waiting).toContainEqual(
      expect.objectContaining({ methodId: method.methodId, memberId: two.memberId }),
    );
    expect((await boss.ask('GET', '/attention')).body.waitingPayees).toBeGreaterThan(0);
    expect(
      await boss.ask('POST', `/payees/${method.methodId}/approve`, { acceptsShared: false }),
    ).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(one.memberId) },
    });
    expect(
      await boss.ask('POST', `/payees/${method.methodId}/approve`, { acceptsShared: true }),
    ).toMatchObject({
      status: 200,
      body: { state: 'New' },
    });
    await sent();
  });

  test('is removed with a code of its own, once, and only by its owner', async () => {
    const [{ from, memberId }, neighbor] = [await person(), await person()];
    await enter(from, paypal('removed@example.com'));
    const [{ methodId }] = await methodsOf(from);
    const path = `/payout-methods/${methodId}`;
    for (const id of [methodId, 'x', '0190f000-0000-7000-8000-000000000000'])
      for (const [way, body] of [
        ['codes', undefined],
        ['remove', { code: '2222-2222' }],
      ] as const)
        expect(await neighbor.from.post(`/payout-methods/${id}/${way}${at}`, body)).toMatchObject({
          status: 404,
          body: { code: 'NotFound' },
        });
    const saving = await codeFor(from, paypal('another@example.com'));
    expect(await from.post(`${path}/remove${at}`, { code: saving })).toMatchObject({ status: 400 });
    expect(await from.post(`${path}/codes${at}`)).toMatchObject({ status: 200 });
    const { code } = await nextMail();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => from.post(`${path}/remove${at}`, { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The others find the code used, or the method ended.
    expect(answers.filter(({ status }) => status === 400 || status === 409)).toHaveLength(3);
    expect(await methodsOf(from)).toMatchObject([{ methodId, state: 'Ended', isEndedByOwner: true }]);
    expect(await from.post(`${path}/codes${at}`)).toMatchObject({ status: 409 });
    const notices = await sent();
    expect(notices).toHaveLength(2);
    const changes = await query(sql`
      select kind from creator_notice where account_id = ${memberId} order by changed_at`);
    expect(changes).toEqual([{ kind: 'method-entered' }, { kind: 'method-removed' }]);
  });

  test('is saved once by concurrent requests with one code, and by all of them with codes of their own', async () => {
    const { from, memberId } = await person();
    const method = paypal('race@example.com');
    const code = await codeFor(from, method);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => from.post(`/payout-methods${at}`, { ...method, code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    const others = [1, 2, 3].map((index) => paypal(`race-${index}@example.com`));
    const codes: string[] = [];
    for (const each of others) codes.push(await codeFor(from, each));
    const saves = await Promise.all(
      others.map((each, index) => from.post(`/payout-methods${at}`, { ...each, code: codes[index] })),
    );
    expect(saves.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await query(sql<{ open: bigint; all: bigint }>`
      select count(*) filter (where ended_at is null) as open, count(*) as all
      from payee_method where account_id = ${memberId}`);
    expect(rows).toEqual([{ open: 1n, all: 4n }]);
    expect(await sent()).toHaveLength(4);
  });

  test('is not changed by a member of the staff, or by a creator of another publisher', async () => {
    const { from, email } = await person();
    await enter(from, paypal('guarded@example.com'));
    const cookie = { ...boss.headers, origin: new URL(portalUrl).origin };
    const outsider = await creator(`out-${email}`, await house.makeOutsider('OUT'));
    const [{ methodId }] = await methodsOf(from);
    const before = await saved();
    for (const [method, path, json] of [
      ['GET', '/payout-methods', undefined],
      ['POST', '/payout-methods/codes', paypal('thief@example.com')],
      ['POST', '/payout-methods', { ...paypal('thief@example.com'), code: '2222-2222' }],
      ['POST', `/payout-methods/${methodId}/codes`, undefined],
      ['POST', `/payout-methods/${methodId}/remove`, { code: '2222-2222' }],
    ] as const) {
      const url = `/portal/v1${path}${at}`;
      const byStaff = await service().call(method, url, {
        key: null,
        headers: cookie,
        ...(json && { json }),
      });
      expect([path, byStaff.status]).toEqual([path, 401]);
      expect([path, (await outsider.send(method, url, json)).status]).toEqual([path, 404]);
    }
    expect(await saved()).toEqual(before);
    await sent();
  });

  test('of a person with several accounts is saved for all of them, without being taken for shared', async () => {
    const { from, memberId } = await person();
    const second = await makeMember('moba', 'SECOND');
    const authCode = await house.authCode(second);
    expect(await from.post('/claims', { authCode })).toMatchObject({ status: 200 });
    await enter(from, paypal('both@example.com'));
    const rows = await query(sql`
      select account_id, approved_at is not null as approved from payee_method
      where account_id in (${memberId}, ${second}) order by account_id`);
    expect(rows).toHaveLength(2);
    expect(rows).toMatchObject([{ approved: true }, { approved: true }]);
    expect((await methodsOf(from)).map(({ accountName }) => accountName).sort()).toEqual(
      [memberId.replace('acc_', ''), 'SECOND'].sort(),
    );
    await sent();
  });
});
