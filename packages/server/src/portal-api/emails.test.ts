import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';

import { useNotices } from '../../test/notices.ts';
import { paypal } from '../../test/own-methods.ts';
import type { Mailed } from '../../test/portal.ts';

const house = await useNotices();
const { service, signedIn, nextMail, query, later } = house;

const minuteMs = 60_000;
let people = 0;

async function person(): Promise<{ from: Browser; email: string; other: string }> {
  people += 1;
  const [email, other] = [`own-${people}@example.com`, `other-${people}@example.com`];
  return { from: await signedIn(email), email, other };
}

/** Reads emails, which may arrive in any order. @returns them by recipient */
async function mails(count: number): Promise<Record<string, Mailed>> {
  const found: Record<string, Mailed> = {};
  for (let index = 0; index < count; index += 1) {
    const mail = await nextMail();
    found[mail.to] = mail;
  }
  return found;
}

/** Requests the codes for an address. @returns the codes for the own and the new address */
async function codesFor(
  from: Browser,
  email: string,
  other: string,
): Promise<{ code: string; newCode: string }> {
  expect(await from.post('/emails/codes', { email: other })).toMatchObject({ status: 200, body: {} });
  const sent = await mails(2);
  return { code: sent[email]?.code ?? '', newCode: sent[other]?.code ?? '' };
}

async function add(from: Browser, email: string, other: string): Promise<void> {
  const codes = await codesFor(from, email, other);
  expect(await from.post('/emails', { email: other, ...codes })).toMatchObject({ status: 200 });
  await mails(1);
}

const stored = () => query(sql`select email from portal_email order by email`);

test('an address is added with a code from each address, signs in as the same person, and the first one is told', async () => {
  const { from, email, other } = await person();
  expect((await from.get('/emails')).body).toEqual({ email, further: [], maxFurther: 5 });
  const codes = await codesFor(from, email, other);
  const added = await from.post('/emails', { email: other.toUpperCase(), ...codes });
  expect(added).toMatchObject({ status: 200, body: { email, further: [{ email: other }] } });
  const told = await nextMail();
  expect(told.to).toBe(email);
  expect(told.text).toContain('An email address was added');
  const browser = house.browser();
  await browser.post('/auth/codes', { email: other });
  const { code } = await nextMail();
  expect(await browser.post('/auth/codes/enter', { code })).toMatchObject({ status: 200 });
  // Codes that confirm changes go to the first address.
  expect((await browser.get('/session')).body).toMatchObject({ email });
  expect(await query(sql`select 1 from portal_user where email = ${other}`)).toEqual([]);
});

test('an address is not added without both codes, or with those of another address, session or time', async () => {
  const { from, email, other } = await person();
  const { code, newCode } = await codesFor(from, email, other);
  const before = await stored();
  const bad = { status: 400, body: { code: 'InvalidInput' } };
  const adding = (body: object, by = from) => by.post('/emails', { email: other, code, newCode, ...body });
  expect(await from.post('/emails', { email: other, code })).toMatchObject(bad);
  expect(await adding({ newCode: code })).toMatchObject(bad);
  expect(await adding({ code: newCode })).toMatchObject(bad);
  expect(await adding({ code: newCode, newCode: code })).toMatchObject(bad);
  expect(await adding({ code: '2222-2222' })).toMatchObject(bad);
  expect(await adding({ email: 'third@example.com' })).toMatchObject(bad);
  expect(await adding({ email: 'nobody' })).toMatchObject(bad);
  const neighbor = await person();
  expect(await adding({}, neighbor.from)).toMatchObject(bad);
  await later(10 * minuteMs, async () => expect(await adding({})).toMatchObject(bad));
  expect(await stored()).toEqual(before);
});

test('concurrent requests with the same codes add an address once', async () => {
  const { from, email, other } = await person();
  const codes = await codesFor(from, email, other);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => from.post('/emails', { email: other, ...codes })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  await mails(1);
});

test('an address never belongs to two people, even if it signs in while it is added', async () => {
  const { from, email, other } = await person();
  const taken = await person();
  const codes = await codesFor(from, email, taken.email);
  expect(await from.post('/emails', { email: taken.email, ...codes })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('already belongs to a sign-in') },
  });
  expect((await taken.from.get('/session')).status).toBe(200);

  const racing = await codesFor(from, email, other);
  const browser = house.browser();
  await browser.post('/auth/codes', { email: other });
  const { code } = await nextMail();
  const [adding, signingIn] = await Promise.all([
    from.post('/emails', { email: other, ...racing }),
    browser.post('/auth/codes/enter', { code }),
  ]);
  expect(signingIn.status).toBe(200);
  expect([200, 409]).toContain(adding.status);
  if (adding.status === 200) await mails(1);
  const [owners] = await query(sql<{ n: bigint }>`
    select (select count(*) from portal_user where email = ${other})
         + (select count(*) from portal_email where email = ${other}) as n`);
  expect(owners).toEqual({ n: 1n });
});

test('a person has at most five further addresses', async () => {
  const { from, email } = await person();
  for (const index of [1, 2, 3, 4, 5]) {
    const userId = sql`(select user_id from portal_user where email = ${email})`;
    await query(sql`
      insert into portal_email (email, user_id, added_at)
      values (${`many-${index}@example.com`}, ${userId}, now()) returning 1`);
  }
  expect(await from.post('/emails/codes', { email: 'sixth@example.com' })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('maximum') },
  });
});

test('an address is removed with a code, once, and then signs in as someone else; the first one stays', async () => {
  const { from, email, other } = await person();
  await add(from, email, other);
  expect(await from.post('/emails/remove/codes', { email })).toMatchObject({ status: 409 });
  const neighbor = await person();
  expect(await neighbor.from.post('/emails/remove/codes', { email: other })).toMatchObject({ status: 404 });
  expect(await from.post('/emails/remove/codes', { email: other })).toMatchObject({ status: 200 });
  const { code, to } = await nextMail();
  expect(to).toBe(email);
  expect(await neighbor.from.post('/emails/remove', { email: other, code })).toMatchObject({ status: 400 });
  const reader = await signedIn(other);
  const waiting = house.browser();
  await waiting.post('/auth/codes', { email: other });
  const old = await nextMail();
  expect(await from.post('/emails/remove', { email: other, code })).toMatchObject({
    status: 200,
    body: { further: [] },
  });
  await mails(1);
  expect(await reader.get('/session'), 'a session that the address started').toMatchObject({
    status: 401,
  });
  expect(await from.post('/emails/remove', { email: other, code })).toMatchObject({ status: 400 });
  expect(await waiting.post('/auth/codes/enter', { code: old.code })).toMatchObject({ status: 401 });
  const newPerson = await signedIn(other);
  expect((await newPerson.get('/session')).body).toMatchObject({ email: other });
});

test('changed payout methods are told to all addresses, and their codes go to the first one alone', async () => {
  const { email, other } = await person();
  const memberId = await house.makeMember('moba', 'MANY');
  const from = await house.creator(email, memberId);
  await add(from, email, other);
  const method = paypal('many@example.com');
  await from.post('/payout-methods/codes?publisher=aurora', method);
  const asked = await nextMail();
  expect(asked.to).toBe(email);
  expect(await from.post('/payout-methods?publisher=aurora', { ...method, code: asked.code })).toMatchObject({
    status: 200,
  });
  const told = await house.sent();
  expect(told.map(({ to }) => to).sort()).toEqual([other, email].sort());
  await house.allowFile(from);
  const file = await from.get('/access-file');
  expect(file.text).toContain(other);
  expect((await service().call('GET', '/portal/v1/emails', { key: null })).status).toBe(401);
});
