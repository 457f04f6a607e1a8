import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApplications } from '../../test/applications.ts';
import { composeTestService } from '../../test/compose-test-service.ts';
import { freePort } from '../../test/free-port.ts';
import { type Mailed, portalUrl } from '../../test/portal.ts';
import { publishersWithDecisions } from '../members/applications/decision-mails.ts';
import { expireApplications } from '../members/applications/expire-applications.ts';
import { sendDecisions } from '../portal/applications/send-decisions.ts';
import type { Portal } from '../portal/create-portal.ts';

const applications = await useApplications();
const {
  service,
  sink,
  owner,
  nextMail,
  query,
  db,
  openGroup,
  applicant,
  accountOf,
  makeMember,
  provisionGroup,
} = applications;
const minute = 60_000;

/** Portal of another process, whose clock may be ahead. */
const process = (aheadMs = 0, smtpUrl = sink().url): Portal =>
  composeTestService(service().testDatabase.database, {
    environment: { PORTAL_URL: portalUrl, SMTP_URL: smtpUrl },
    clock: { now: () => new Date(Date.now() + aheadMs) },
  }).portal;
/** Sends the waiting emails. @returns the number that were taken */
async function send(portal = process()): Promise<number> {
  let taken = 0;
  for (const publisherId of await publishersWithDecisions(db(), portal.clock.now()))
    taken += await sendDecisions(portal, db(), publisherId);
  return taken;
}
const statusOf = async (groupId: string) =>
  (
    await query(sql<{ mail_status: string | null; mail_attempts: number }>`
      select mail_status, mail_attempts from creator_application where group_id = ${groupId} order by applied_at`)
  ).map((row) => [row.mail_status, row.mail_attempts]);
const decide = async (groupId: string, memberId: string, reason: string | null) =>
  expect(
    await (await owner()).ask(
      'POST',
      `/members/${memberId}/${reason === null ? 'approve' : 'remove'}?group=${groupId}`,
      reason === null ? undefined : { reason },
    ),
  ).toMatchObject({ status: 200 });

test('a creator is told of each decision once, with the reason for a refusal', async () => {
  await openGroup('told');
  expect(await statusOf('told')).toEqual([]);
  for (const name of ['YES', 'NO', 'LATE'])
    await applicant(`${name.toLowerCase()}@example.com`, 'told', name);
  expect(await statusOf('told')).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
  ]);
  const ids = await query(sql<{ id: string }>`
    select m.account_id as id from membership m where m.group_id = 'told' order by m.membership_id`);
  await decide('told', ids[0]?.id ?? '', null);
  await decide('told', ids[1]?.id ?? '', 'We need 1,000 followers.');
  await expireApplications(db(), new Date(Date.now() + 31 * 86_400_000), new AbortController().signal);
  // Two processes at once.
  const taken = await Promise.all([send(process(32 * 86_400_000)), send(process(32 * 86_400_000))]);
  expect(taken[0] + taken[1]).toBe(3);
  const mails: Mailed[] = [];
  for (let count = 0; count < 3; count += 1) mails.push(await nextMail());
  const to = (address: string) => mails.find((mail) => mail.to === address)?.text ?? '';
  expect(to('yes@example.com')).toContain('Subject: Aurora Games approved your application');
  expect(to('yes@example.com')).toContain('YES');
  expect(to('no@example.com')).toContain('We need 1,000 followers.');
  expect(to('no@example.com')).toContain(`${portalUrl}/apply/aurora/told`);
  expect(to('late@example.com')).toContain('You can apply again.');
  expect(await query(sql`select kind from creator_notice`), 'no second email about the decision').toEqual([]);
  expect(await send(process(32 * 86_400_000))).toBe(0);
  expect((await statusOf('told')).map(([status]) => status)).toEqual(['Sent', 'Sent', 'Sent']);
});

test('a creator who is removed after an application was approved is told of the removal', async () => {
  await openGroup('ended');
  const memberId = await accountOf(await applicant('ended@example.com', 'ended', 'ENDED'));
  await decide('ended', memberId, null);
  await decide('ended', memberId, 'Broke the rules.');
  const kinds = await query(sql<{ kind: string }>`
    select kind from creator_notice where account_id = ${memberId}`);
  expect(kinds).toEqual([{ kind: 'removed' }]);
  expect(await send()).toBe(1);
  expect((await nextMail()).text).toContain('Subject: Aurora Games approved your application');
});

test('a creator whom a program file approves without the code is not told that the code works', async () => {
  await openGroup('filed');
  const memberId = await accountOf(await applicant('filed@example.com', 'filed', 'FILED'));
  await provisionGroup('filed', `members: [ { id: ${memberId}, status: Approved } ]`);
  expect(await send()).toBe(1);
  const { text } = await nextMail();
  expect(text).toContain('now a creator in');
  expect(text).not.toContain('FILED');
  expect(text).not.toContain('credited');
});

test('no one is told about a Pending creator who never applied, or whose account was disconnected', async () => {
  await openGroup('silent');
  const memberId = await makeMember('silent', 'SILENT', 'status: Pending');
  await decide('silent', memberId, null);
  const gone = await applicant('gone@example.com', 'silent', 'GONE');
  const goneId = await accountOf(gone);
  expect(await (await owner()).ask('DELETE', `/members/${goneId}/portal`)).toMatchObject({ status: 200 });
  await decide('silent', goneId, null);
  const before = sink().mails.length;
  expect(await send()).toBe(1);
  expect(sink().mails).toHaveLength(before);
  expect(await statusOf('silent')).toEqual([['Sent', 1]]);
});

test('an email is tried again if the mail server does not answer, or the process died', async () => {
  await openGroup('again');
  const nia = await applicant('again@example.com', 'again', 'AGAIN');
  await decide('again', await accountOf(nia), null);
  expect(await send(process(0, `smtp://127.0.0.1:${await freePort()}`))).toBe(1);
  expect(await statusOf('again')).toEqual([['Waiting', 1]]);
  expect(await send()).toBe(0);
  // A process that takes the email and dies leaves it to another one.
  const dying = { ...process(2 * minute), sendMail: () => Promise.reject(new Error('died')) };
  await expect(send(dying)).rejects.toThrow('died');
  expect(await send(process(3 * minute))).toBe(0);
  expect(await send(process(8 * minute))).toBe(1);
  expect(await nextMail()).toMatchObject({ to: 'again@example.com' });
  expect(await statusOf('again')).toEqual([['Sent', 3]]);
});
