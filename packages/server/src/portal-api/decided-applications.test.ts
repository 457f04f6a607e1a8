import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useApplications } from '../../test/applications.ts';
import { findText } from '../../test/find-text.ts';
import { testSealer } from '../../test/sealer.ts';
import { testActor } from '../../test/test-actor.ts';
import { expireApplications } from '../members/applications/expire-applications.ts';
import { systemClock } from '../platform/clock.ts';
import { toAccountId } from '../platform/ids.ts';
import { eraseCreator } from '../privacy/erase-creator.ts';

let nowMs = Date.now();
const applications = await useApplications({ clock: { now: () => new Date(nowMs) } });
const { browser, signedIn, owner, query, db, openGroup, makeMember, provisionGroup } = applications;
const { applyTo, applicant, accountOf, stateOf, allowFile } = applications;
const dayMs = 86_400_000;

/** Runs work some days later. Sessions have ended by then. */
async function later<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  nowMs += days * dayMs;
  try {
    return await work();
  } finally {
    nowMs -= days * dayMs;
  }
}
const refuse = async (memberId: string, groupId: string, reason: string) =>
  (await owner()).ask('POST', `/members/${memberId}/remove?group=${groupId}`, { reason });
const approve = async (memberId: string, groupId: string) =>
  (await owner()).ask('POST', `/members/${memberId}/approve?group=${groupId}`);
const codesIn = (groupId: string) =>
  query(sql`select code, is_approved from group_code where group_id = ${groupId} order by code`);

test('a refused applicant sees why, and their code becomes free', async () => {
  await openGroup('refused');
  const nia = await applicant('refused@example.com', 'refused', 'WANTED');
  const memberId = await accountOf(nia);
  expect(await refuse(memberId, 'refused', 'We need 1,000 followers.')).toMatchObject({
    status: 200,
    body: { status: 'Removed' },
  });
  const state = await stateOf(nia, 'refused');
  expect(state).toMatchObject({ state: 'Refused', reason: 'We need 1,000 followers.', code: 'WANTED' });
  expect(Date.parse(String(state?.againAt)) - Date.parse(String(state?.decidedAt))).toBe(30 * dayMs);
  expect(await codesIn('refused')).toEqual([]);
  expect(await applyTo(nia, 'refused', { code: 'WANTED' })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/again on 20\d\d-\d\d-\d\d/) },
  });
  await applicant('refused-2@example.com', 'refused', 'WANTED');
  await later(31, async () => {
    const again = await signedIn('refused@example.com');
    expect(await applyTo(again, 'refused', { code: 'wanted' })).toMatchObject({ status: 409 });
    expect(await applyTo(again, 'refused', { code: 'WANTED-2' })).toMatchObject({ status: 200 });
    expect(await accountOf(again)).toBe(memberId);
    expect(await stateOf(again, 'refused')).toMatchObject({ state: 'Open', code: 'WANTED-2', reason: null });
  });
  expect(await approve(memberId, 'refused')).toMatchObject({
    status: 200,
    body: { codes: [{ code: 'WANTED-2', isApproved: true }] },
  });
});

test('an application that no one decides ends after 30 days, and the creator can apply again at once', async () => {
  await openGroup('expired');
  const nia = await applicant('expired@example.com', 'expired', 'EXPIRED');
  const memberId = await accountOf(nia);
  const never = new AbortController().signal;
  expect(await expireApplications(db(), new Date(nowMs + 29 * dayMs), never)).toBe(0);
  const [open] = await query(
    sql<{ count: number }>`select count(*)::int as count from creator_application where decided_at is null`,
  );
  const ended = await Promise.all(
    [1, 2].map(() => expireApplications(db(), new Date(nowMs + 31 * dayMs), never)),
  );
  expect((ended[0] ?? 0) + (ended[1] ?? 0), 'each is counted once').toBe(open?.count);
  expect(await stateOf(nia, 'expired')).toMatchObject({ state: 'Expired', reason: null, againAt: null });
  expect(await codesIn('expired')).toEqual([]);
  expect(
    await query(sql`
      select actor_kind, reason from audit_entry
      where target = ${`member:${memberId}`} and action = 'member.remove'`),
  ).toEqual([{ actor_kind: 'service', reason: 'Not decided within 30 days' }]);
  expect(await applyTo(nia, 'expired', { code: 'EXPIRED' })).toMatchObject({ status: 200 });
  expect(await stateOf(nia, 'expired')).toMatchObject({ state: 'Open' });
});

test('an application is not approved if another creator got its code meanwhile', async () => {
  await openGroup('overtaken');
  const nia = await applicant('overtaken@example.com', 'overtaken', 'OVERTAKEN');
  const memberId = await accountOf(nia);
  await provisionGroup('main', 'members: [ { id: acc_overtaker, codes: [ { code: OVERTAKEN } ] } ]');
  expect(await approve(memberId, 'overtaken')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Another creator now has the code OVERTAKEN') },
  });
  expect(await stateOf(nia, 'overtaken')).toMatchObject({ state: 'Open' });
  expect(await codesIn('overtaken')).toEqual([{ code: 'OVERTAKEN', is_approved: false }]);
});

test('a decision and a program file agree about the application', async () => {
  await openGroup('filed');
  const nia = await applicant('filed@example.com', 'filed', 'FILED');
  const memberId = await accountOf(nia);
  await provisionGroup('filed', `members: [ { id: ${memberId}, status: Approved } ]`);
  expect(await stateOf(nia, 'filed')).toMatchObject({ state: 'Approved' });
  // A file says itself whether a code is approved.
  expect(await codesIn('filed')).toEqual([{ code: 'FILED', is_approved: false }]);
});

test('several applications are approved and refused at once', async () => {
  await openGroup('many');
  const people = [];
  for (const number of [1, 2])
    people.push(await applicant(`many-${number}@example.com`, 'many', `MANY-${number}`));
  const members = await Promise.all(
    people.map(async (each) => ({ memberId: await accountOf(each), groupId: 'many' })),
  );
  const staff = await owner();
  expect(await staff.ask('POST', '/members/bulk/approve', { members: members.slice(0, 1) })).toMatchObject({
    body: { outcomes: [{ outcome: 'done' }] },
  });
  expect(
    await staff.ask('POST', '/members/bulk/remove', { members: members.slice(1), reason: 'Not now.' }),
  ).toMatchObject({ body: { outcomes: [{ outcome: 'done' }] } });
  expect(await codesIn('many')).toEqual([{ code: 'MANY-1', is_approved: true }]);
});

test('an applicant’s file contains the application, and an erasure blanks it and frees the code', async () => {
  await openGroup('erased');
  const [text, reason] = ['QUOLL-9', 'No quolls, please.'];
  const nia = await applicant('erased@example.com', 'erased', text, 'Quoll Nine');
  const memberId = await accountOf(nia);
  await allowFile(nia);
  const undecided = (await nia.get('/access-file')).text;
  for (const part of [text, '"creator_application"', '"terms_acceptance"']) expect(undecided).toContain(part);
  await refuse(memberId, 'erased', reason);
  expect((await nia.get('/access-file')).text).toContain(reason);

  const other = await applicant('erased-2@example.com', 'erased', 'QUOLL-8', 'Quoll Eight');
  for (const accountId of [memberId, await accountOf(other)])
    await eraseCreator({ db: db(), sealer: testSealer, clock: systemClock }, testActor, {
      ...{ accountId: toAccountId(accountId), replacesCodes: false, givenUp: [], reason: null },
    });
  expect(
    await query(sql`
      select code, reason, decision from creator_application where group_id = 'erased' order by application_id`),
  ).toEqual([
    { code: null, reason: null, decision: 'Refused' },
    { code: null, reason: null, decision: 'Refused' },
  ]);
  expect(await codesIn('erased')).toEqual([]);
  const { connection } = applications.service().testDatabase;
  for (const each of [reason, text, 'Quoll Nine', 'QUOLL-8'])
    expect(await findText(connection, each)).toEqual([]);
  await applicant('erased-3@example.com', 'erased', 'QUOLL-8');
});

describe('a code that is being typed', () => {
  test('is checked key by key, and tells no one who has it', async () => {
    await openGroup('typed', { reservedCodes: ['ADMIN'] });
    await applicant('typed-1@example.com', 'typed', 'HELD');
    await provisionGroup(
      'typed',
      'members: [ { id: acc_typed, codes: [ { code: NIA-IN, group: typed } ] } ]',
    );
    const nia = await signedIn('typed@example.com');
    const check = async (code: string) =>
      (await nia.get(`/apply/aurora/typed/codes/${encodeURIComponent(code)}`)).body;
    const typed = [];
    for (let length = 1; length <= 'nia-in2'.length; length += 1)
      typed.push((await check('nia-in2'.slice(0, length))).state);
    expect(typed).toEqual(['invalid', 'free', 'free', 'free', 'free', 'taken', 'free']);
    const taken = { state: 'taken' };
    for (const code of ['ALICE', 'alice', 'held', 'admin', 'Admin', 'REMOVED', 'RIVAL'])
      expect([code, await check(code)]).toEqual([code, taken]);
    for (const code of ['a b', 'ä-1', 'a/b', '%', 'x'.repeat(33)])
      expect([code, await check(code)]).toEqual([code, { state: 'invalid' }]);
    // A group code of another group doesn't matter.
    expect(await check('MOBA-AL')).toEqual({ state: 'free' });
    expect(await browser().get('/apply/aurora/typed/codes/NIA')).toMatchObject({ status: 401 });
    expect(await nia.get('/apply/rival/typed/codes/NIA')).toMatchObject({ status: 404 });
  });

  test('can be the applicant’s own', async () => {
    await openGroup('owning');
    const person = await applications.creator('owning@example.com', await makeMember('main', 'OWNING'));
    expect((await person.get('/apply/aurora/owning/codes/owning')).body).toEqual({ state: 'own' });
  });
});

test('a person sends three applications a day, and rejected ones don’t count', async () => {
  for (const groupId of ['day-1', 'day-2', 'day-3', 'day-4']) await openGroup(groupId);
  const nia = await signedIn('day@example.com');
  for (const groupId of ['day-1', 'day-2', 'day-3']) {
    expect(await applyTo(nia, groupId, { code: 'ALICE' })).toMatchObject({ status: 409 });
    expect(await applyTo(nia, groupId, { code: 'DAILY' })).toMatchObject({ status: 200 });
    expect(await approve(await accountOf(nia), groupId)).toMatchObject({ status: 200 });
  }
  const fourth = await applyTo(nia, 'day-4', { code: 'DAILY' });
  expect(fourth).toMatchObject({ status: 429, body: { code: 'RateLimited' } });
  expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(3_600);
});

test('only a limited number of applications comes from one client address', async () => {
  await openGroup('address');
  const from = browser('203.0.113.99');
  const statuses: number[] = [];
  for (let number = 1; number <= 22; number += 1) {
    const other = await signedIn(`address-${number}@example.com`);
    statuses.push(
      (
        await other.send(
          'POST',
          '/apply/aurora/address',
          { name: 'N', code: `ADDRESS-${number}`, termsSha256: await pageHash() },
          {
            origin: 'http://localhost:9090',
            'sec-fetch-site': 'same-origin',
            'x-forwarded-for': '203.0.113.99',
          },
        )
      ).status,
    );
  }
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429]);
  expect(await from.get('/apply/aurora/address')).toMatchObject({ status: 200 });
  async function pageHash(): Promise<string> {
    return (await browser().get('/apply/aurora/address')).body.terms.sha256;
  }
});

test('only a limited number of pages is shown to one client address', async () => {
  // The clock stands still, so nothing is allowed again meanwhile.
  const from = browser('203.0.113.77');
  const statuses = [];
  for (let count = 0; count < 122; count += 1) statuses.push((await from.get('/apply/aurora/none')).status);
  expect(statuses).toEqual([...Array<number>(120).fill(404), 429, 429]);
  expect(await browser().get('/apply/aurora/none')).toMatchObject({ status: 404 });
});

test('only a limited number of codes is checked by one person', async () => {
  await openGroup('checks');
  const nia = await signedIn('checks@example.com');
  const statuses: number[] = [];
  for (let count = 0; count < 150; count += 1) {
    // More requests at once would exceed the limit on all requests of a person.
    if (count === 55 || count === 105) nowMs += 5_000;
    statuses.push((await nia.get('/apply/aurora/checks/codes/NIA')).status);
  }
  nowMs -= 10_000;
  // 120 in a minute, and 20 more for the ten seconds.
  expect(statuses).toEqual([...Array<number>(140).fill(200), ...Array<number>(10).fill(429)]);
});
