import { PassThrough, type Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { operations } from '../../test/money.ts';
import { expectStatementsOfLedger, monthsOf } from '../../test/months.ts';
import { usePortal } from '../../test/portal.ts';
import { testSealer } from '../../test/sealer.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { testActor } from '../../test/test-actor.ts';
import { systemClock } from '../platform/clock.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';
import { eraseCreator } from '../privacy/erase-creator.ts';
import { createPayout } from '../settlement/payouts/create/create-payout.ts';
import { readStatements } from '../settlement/payouts/month/read-statements.ts';
import type { LineResult } from '../settlement/payouts/results/result.ts';
import { resumePayouts } from '../settlement/payouts/resume-payouts.ts';
import { issueStatements } from '../settlement/statements/issue-statements.ts';
import { StatementDrawer } from '../settlement/statements/pdf/statement-drawer.ts';
import { drawStatement } from '../settlement/statements/pdf/statement-pdf.ts';
import { plainText, visualRuns } from '../settlement/statements/pdf/text-runs.ts';
import { listStatements } from '../settlement/statements/read-statements.ts';
import { exportStatement } from '../settlement/statements/statement-csv.ts';
import { verifyLedger } from '../settlement/verify/verify-ledger.ts';

const portal = await usePortal();
const { creator, makeGroup, earn, settle, create, markPaid, cancel, refund, patch, query, db } = portal;
const months = monthsOf(db);

interface Shown {
  statementId: string;
  month: string;
  groupId: string;
  currency: string;
  openingMinor: string;
  closingMinor: string;
  [name: string]: unknown;
}

let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(portal.service().testDatabase.connection);
});
afterAll(() => crashing?.close());

let group = '';
let groups = 0;
let browser: Browser;
beforeEach(async () => {
  groups += 1;
  group = `month-${groups}`;
  await makeGroup(group);
  browser = await creator(`month-${groups}@example.com`, `acc_${group}_A`);
});
afterEach(async () => {
  await expectStatementsOfLedger(db());
  await expectFilesOfFinanceAgree();
  await portal.expectSound();
});

/** Compares the group's statements with `statements.csv` of the month-end files, as docs/statements.md describes. */
async function expectFilesOfFinanceAgree(): Promise<void> {
  const statements = await query(sql<Record<string, string>>`
    select to_char(month, 'YYYY-MM') as month, m.account_id || ' ' || currency as of, opening_minor + claimed_minor as opening,
           earned_minor as earned, reversed_minor + reinstated_minor as reversed, clawed_back_minor as clawed_back,
           bounties_minor as bounties, to_payouts_minor + from_payouts_minor as paid, closing_minor as closing
    from statement s
    join membership m on m.publisher_id = 'aurora' and m.membership_id = s.membership_id
    where s.group_id = ${group} order by 1, 2`);
  for (const [month, issued] of Map.groupBy(statements, (each) => each.month ?? '')) {
    const lines: Record<string, string>[] = [];
    const [times = { from: new Date(0), before: new Date(0) }] = await query(sql<{
      from: Date;
      before: Date;
    }>`
      select distinct entries_from as from, entries_before as before
      from statement where group_id = ${group} and month = ${`${month}-01`}::date`);
    const span = {
      ...{ publisherId: 'aurora', month, from: times.from, asOf: times.before, isClosed: true },
      ...{ entriesFrom: times.from, entriesBefore: times.before },
    };
    for await (const page of readStatements(db(), span, (work) => work()))
      for (const line of page.filter(({ groupId }) => groupId === group))
        lines.push({
          ...{ month, of: `${line.memberId} ${line.currency}`, opening: String(line.openingMinor) },
          ...{ earned: String(line.earnedMinor), reversed: String(line.reversedMinor) },
          ...{ clawed_back: String(line.clawedBackMinor), bounties: String(line.bountiesMinor) },
          ...{ paid: String(line.paidMinor), closing: String(line.closingMinor) },
        });
    const names = new Set(issued.map((each) => each.of));
    expect(
      lines
        .filter(({ of }) => names.has(of))
        .sort((one, other) => ((one.of ?? '') < (other.of ?? '') ? -1 : 1)),
    ).toEqual(issued.filter(isShown));
    // A creator without a statement has a balance that nothing changed.
    for (const line of lines.filter(({ of }) => !names.has(of))) expect(line.opening).toBe(line.closing);
  }
}

/** Returns whether finance's file has a line: it leaves out creators whose amounts, in its columns, are all zero. */
const isShown = ({
  earned,
  reversed,
  clawed_back,
  bounties,
  paid,
  closing,
}: Record<string, string>): boolean =>
  [earned, reversed, clawed_back, bounties, paid, closing].some((amount) => amount !== '0');

/** Returns the statements of the group that the creator sees, the earliest month first. */
async function listed(): Promise<Shown[]> {
  const { status, body } = await browser.get('/statements?publisher=aurora');
  expect(status).toBe(200);
  return (body.rows as Shown[]).filter(({ groupId }) => groupId === group).reverse();
}

/** Returns the amounts of a statement that aren't zero. */
const amountsOf = (statement: Shown | undefined) =>
  Object.fromEntries(
    Object.entries(statement ?? {}).flatMap(([name, value]) =>
      name.endsWith('Minor') && value !== '0' ? [[name.slice(0, -5), Number(value)]] : [],
    ),
  );

/** Returns the group's statements as [month, amounts], the earliest first. */
const amounts = async () => (await listed()).map((each) => [each.month, amountsOf(each)]);

/** Returns the payouts of each of the group's statements. */
const payoutsOf = async () => (await listed()).map((each) => each.payouts);

/** Sets the result of a payout's only line. */
async function setResult(payoutId = '', result: LineResult = 'Paid'): Promise<void> {
  const [item] = await query(sql<{ reference: string }>`
    select reference from payout_item where batch_id = ${payoutId}::uuid`);
  const reference = item?.reference ?? '';
  await operations.setResults(db(), testActor, {
    ...{ publisherId: 'aurora', payoutId, isDryRun: false },
    results: [{ line: 1, reference, result, note: null, problem: null }],
  });
}

/** Returns the memberships of the creator. */
const membershipsOf = async () =>
  (
    await query(sql<{ id: MembershipId }>`
      select membership_id as id from membership where account_id = ${`acc_${group}_A`}`)
  ).map(({ id }) => id);

/** Returns what an export writes. */
async function written(write: (output: Writable) => Promise<void>): Promise<string> {
  const output = new PassThrough();
  const [found] = await Promise.all([textOf(output), write(output).then(() => output.end())]);
  return found;
}

/** Reads all statements of the database, without the values that differ each time. */
const saved = () =>
  query(sql<{ id: string }>`
    select membership_id, currency, to_char(month, 'YYYY-MM') as month, opening_minor, closing_minor
    from statement order by 1, 2, 3`);

// Comes first, because it skips a month.
describe('the first statement of a publisher from before statements', () => {
  test('begins with the balance by the ledger', async () => {
    await earn(group, 'A', 444);
    await settle();
    await months.issue();
    await months.end();
    // The month that just ended is skipped, as for a publisher that existed at the upgrade.
    await query(sql`
      update statement_progress
      set month = (month + interval '1 month')::date, closes_at = closes_at + interval '1 month'
      where publisher_id = 'aurora'`);
    await earn(group, 'A', 6);
    await settle();
    const month = await months.close();
    expect(await amounts()).toEqual([[month, { opening: 444, earned: 6, closing: 450 }]]);
  });
});

describe('a monthly statement', () => {
  test('has every kind of movement, and begins with the closing balance of the one before', async () => {
    const first = await earn(group, 'A', 1_000);
    const second = await earn(group, 'A', 500);
    await settle();
    await refund(second.transactionId, { refundId: 'r1', amount: 200, reason: 'Refund' });
    const month = await months.close();
    const [batch] = await create(group);
    await markPaid(batch?.batchId ?? '');
    await portal.clawBack(first.id, 'Fraud');
    await portal.reinstate(second.transactionId, 'r1');
    await earn(group, 'A', 70);
    await settle();
    const next = await months.close();
    await months.close(); // nothing was booked
    expect(await amounts()).toEqual([
      [month, { earned: 1_500, reversed: -200, closing: 1_300 }],
      [
        next,
        { opening: 1_300, earned: 70, clawedBack: -1_000, reinstated: 200, toPayouts: -1_300, closing: -730 },
      ],
    ]);
  });

  test('is issued an hour after the end of the month, and not before', async () => {
    await earn(group, 'A', 100);
    await settle();
    await months.issue();
    expect(await listed()).toEqual([]);
    const [{ closes_at: closesAt } = { closes_at: new Date(0) }] = await query(sql<{ closes_at: Date }>`
      select closes_at from statement_progress where publisher_id = 'aurora'`);
    const month = await months.close();
    expect(closesAt.toISOString()).toMatch(/-01T01:00:00.000Z$/);
    const [statement] = await listed();
    expect(statement?.month).toBe(month);
    const answer = await browser.get(`/statements/${statement?.statementId}?publisher=aurora`);
    expect([answer.status, answer.body]).toEqual([200, statement]);
  });

  test('books a purchase that is sent late, and a refund, in the month in which they were booked', async () => {
    const early = await earn(group, 'A', 300);
    await settle();
    const month = await months.close();
    const before = await listed();
    await earn(group, 'A', 40, { transactionDate: new Date().toISOString() });
    await earn(group, 'A', 60, { transactionDate: '2024-01-01T00:00:00Z' });
    await settle();
    await refund(early.transactionId, { refundId: 'late', amount: 300, reason: 'Chargeback' });
    const next = await months.close();
    expect((await listed()).slice(0, 1)).toEqual(before);
    expect(await amounts()).toEqual([
      [month, { earned: 300, closing: 300 }],
      [next, { opening: 300, earned: 100, reversed: -300, closing: 100 }],
    ]);
  });

  test('calls an amount paid only once it is, and books what comes back when it does', async () => {
    await earn(group, 'A', 500);
    await settle();
    const [batch] = await create(group);
    const month = await months.close();
    const line = { amountMinor: '500', toPayoutMinor: '-500', fromPayoutMinor: '0' };
    expect(await payoutsOf()).toMatchObject([[{ ...line, state: 'Created', paidAt: null }]]);
    await markPaid(batch?.batchId ?? '');
    await earn(group, 'A', 10);
    await settle();
    const paid = await months.close();
    await setResult(batch?.batchId, 'Returned');
    const returned = await months.close();
    expect(await amounts()).toEqual([
      [month, { earned: 500, toPayouts: -500 }],
      [paid, { earned: 10, closing: 10 }],
      [returned, { opening: 10, fromPayouts: 500, closing: 510 }],
    ]);
    const nothing = { amountMinor: '500', toPayoutMinor: '0', fromPayoutMinor: '0' };
    expect(await payoutsOf()).toMatchObject([
      [{ ...line, state: 'Created', paidAt: null }],
      [{ ...nothing, state: 'Paid', paidAt: expect.stringMatching(paid) }],
      [{ ...nothing, fromPayoutMinor: '500', state: 'Returned' }],
    ]);
  });

  test('gives a line that failed no date of payment, even if its payout is marked as paid', async () => {
    await earn(group, 'A', 700);
    await settle();
    const [failing] = await create(group);
    await setResult(failing?.batchId, 'Failed');
    await markPaid(failing?.batchId ?? '');
    const failed = { toPayoutMinor: '-700', fromPayoutMinor: '700', state: 'Failed', paidAt: null };
    await months.close();
    expect(await payoutsOf()).toMatchObject([[failed]]);
    const [sent] = await create(group);
    await setResult(sent?.batchId, 'Sent');
    await markPaid(sent?.batchId ?? '');
    const month = await months.close();
    await setResult(sent?.batchId, 'Failed');
    await months.close();
    const later = { toPayoutMinor: '0', fromPayoutMinor: '700', state: 'Failed', paidAt: null };
    // A line that is only known to be sent counts as paid when its payout is marked as paid, as in the yearly file.
    const asSent = { toPayoutMinor: '-700', state: 'Sent', paidAt: expect.stringMatching(month) };
    expect(await payoutsOf()).toMatchObject([[failed], [asSent], [later]]);
    const states = [];
    for (const each of await listed()) states.push((await csvOf(each)).lines.at(-2));
    expect(states.map((line) => [line?.state, line?.paidAt?.slice(0, 7)])).toEqual([
      ['Failed', ''],
      ['Sent', month],
      ['Failed', ''],
    ]);
  });

  test('gives a line no date of payment if its money came back before its payout was marked as paid', async () => {
    await earn(group, 'A', 50);
    await settle();
    const [batch] = await create(group);
    await setResult(batch?.batchId, 'Sent');
    await setResult(batch?.batchId, 'Returned');
    await markPaid(batch?.batchId ?? '');
    await months.close();
    await months.close(); // not listed again
    expect(await payoutsOf()).toMatchObject([[{ state: 'Returned', paidAt: null }]]);
  });

  test('shows a payout that was canceled in the same month, but not one that was undone', async () => {
    await earn(group, 'A', 80);
    await settle();
    const [batch] = await create(group);
    await cancel(batch?.batchId ?? '');
    const request = { publisherId: 'aurora', groupId: group, currency: null, asOf: null };
    await createPayout(crashing.db({ afterCommit: 4 }), testActor, request).catch(() => undefined);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
    );
    await resumePayouts(db(), 'aurora');
    expect(
      await query(sql`select 1 from payout_batch where group_id = ${group} and was_undone`),
    ).toHaveLength(1);
    const month = await months.close();
    expect(await amounts()).toEqual([[month, { earned: 80, toPayouts: -80, fromPayouts: 80, closing: 80 }]]);
    expect((await listed())[0]?.payouts).toMatchObject([{ number: expect.any(Number), state: 'Cancelled' }]);
  });
});

describe('a month is not closed', () => {
  test('while a payout from before its end is being created', async () => {
    await earn(group, 'A', 90);
    await settle();
    const request = { publisherId: 'aurora', groupId: group, currency: null, asOf: null };
    await createPayout(crashing.db({ afterCommit: 3 }), testActor, request).catch(() => undefined);
    expect(await query(sql`select 1 from payout_batch where status = 'Preparing'`)).toHaveLength(1);
    const month = await months.close();
    expect(await listed()).toEqual([]);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where status = 'Preparing'`,
    );
    await resumePayouts(db(), 'aurora');
    await months.issue();
    expect(await amounts()).toEqual([[month, expect.objectContaining({ earned: 90 })]]);
  });

  test('while a transaction from before its end is open, whose entries are in the month', async () => {
    await earn(group, 'A', 20);
    await settle();
    await earn(group, 'A', 3);
    let finish = () => {};
    const opened = Promise.withResolvers<void>();
    const posting = db()
      .transaction()
      .execute(async (tx) => {
        await sql`select now()`.execute(tx);
        opened.resolve();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
    await opened.promise;
    const month = await months.close();
    expect(await listed()).toEqual([]);
    finish();
    await posting;
    await settle();
    await months.issue();
    expect(await amounts()).toEqual([[month, { earned: 20, closing: 20 }]]);
    const next = await months.close();
    expect(await amounts()).toContainEqual([next, { opening: 20, earned: 3, closing: 23 }]);
  });
});

describe('the PDF of a statement', () => {
  const bytesOf = async (statement: Shown | undefined) => {
    const answer = await browser.get(`/statements/${statement?.statementId}/statement.pdf?publisher=aurora`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    return answer.text;
  };

  test('is always the same, also after the creator has another name', async () => {
    await earn(group, 'A', 4_321);
    await settle();
    await months.close();
    const [statement] = await listed();
    const first = await bytesOf(statement);
    expect(first).toMatch(/^%PDF-/);
    await portal.provisionGroup(group, `members: [ { id: acc_${group}_A, name: Another } ]`);
    await months.close();
    expect(await bytesOf(statement)).toBe(first);
  });

  test('contains the fonts of the scripts that it is drawn in, and none else', async () => {
    const names: [string, string[]][] = [
      ['Иван Сидоров (Київ)', []],
      ['Ελληνικά Nguyễn Thị Ánh', []],
      ['محمد عبد الله (2024) ABC', ['Arabic']],
      ['ישראל (12)', ['Hebrew']],
      ['น้ำผึ้ง', ['Thai']],
      ['x'.repeat(255), []],
      ['\u202eevil\u0007', []],
      ['漢字 🙂', []],
      ['a b '.repeat(60), []],
    ];
    await earn(group, 'A', 1);
    await settle();
    await months.close();
    const [statement] = await listed();
    const [found] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (found === undefined) throw new Error('there is no statement');
    expect(found.statementId).toBe(statement?.statementId);
    for (const [accountName, others] of names) {
      const one = await drawStatement({ ...found, accountName });
      const other = await drawStatement({ ...found, accountName });
      expect([accountName, one.equals(other)]).toEqual([accountName, true]);
      const embedded = new Set(
        [...one.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+(\S+)/g)].map(([, font]) => font),
      );
      const expected = [
        'NotoSans-Regular',
        'NotoSans-Bold',
        ...others.map((script) => `NotoSans${script}-Regular`),
      ];
      expect([accountName, [...embedded].sort()]).toEqual([accountName, expected.sort()]);
      expect(one.toString('latin1').match(/\/FontFile2 /g)).toHaveLength(expected.length);
    }
  });

  test('is drawn one at a time, and too many at once are told to try again', async () => {
    await earn(group, 'A', 1);
    await settle();
    await months.close();
    const [found] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (found === undefined) throw new Error('there is no statement');
    const drawer = new StatementDrawer();
    const drawn = await Promise.allSettled(Array.from({ length: 25 }, () => drawer.draw(found)));
    expect(drawn[0]).toMatchObject({ status: 'fulfilled' });
    const rejected = drawn.filter((each) => each.status === 'rejected');
    expect(rejected.length).toBeGreaterThanOrEqual(4);
    for (const { reason } of rejected) expect(reason).toMatchObject({ code: 'Unavailable' });
  });

  test('keeps names from changing other text', () => {
    expect(visualRuns('ab אבג 12')).toMatchObject([
      { text: 'ab ' },
      { text: '12' },
      { text: ' ' },
      { text: 'אבג' },
    ]);
    expect(visualRuns('محمد عبد (12)').map(({ text }) => text)).toEqual([
      '(',
      '12',
      ')',
      ' ',
      'عبد',
      ' ',
      'محمد',
    ]);
    expect(plainText('a\u202eb\u0000c\n d')).toBe('abc d');
    expect(plainText('น้ำ')).toBe('น\u0e4d\u0e49\u0e32');
  });
});

/** Adds a member to the group. A sandbox can have only group codes. */
async function makeMember(name: string): Promise<string> {
  const id = `acc_${name}`;
  await portal.provisionGroup(
    group,
    `members: [ { id: ${id}, name: ${name}, codes: [ { code: ${name}, group: ${group} } ] } ]`,
  );
  return id;
}

/** Downloads a statement's CSV. */
async function csvOf(statement: Shown | undefined) {
  const answer = await browser.get(`/statements/${statement?.statementId}/statement.csv?publisher=aurora`);
  const [head = [], ...lines] = parse(answer.text.replace('\ufeff', '')) as string[][];
  return {
    answer,
    text: answer.text,
    lines: lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place]]))),
  };
}

describe('the CSV of a statement', () => {
  test('has every line with its exact calculation, adds up to the closing balance, and is always the same', async () => {
    const buyer = { player: { id: 'buyer-77', name: 'Buyer Name' } };
    const kept = await earn(group, 'A', 999, {
      memberSharePercent: 12.5,
      description: 'For Buyer',
      ...buyer,
    });
    const back = await earn(group, 'A', 400, { transactionId: `secret-${groups}` });
    const old = await earn(group, 'A', 10, { transactionDate: '2020-01-01T00:00:00Z' });
    await settle();
    await refund(back.transactionId, { refundId: 'part', amount: 100, reason: 'Refund' });
    await create(group);
    await months.close();
    const [statement] = await listed();
    const { answer, lines, text } = await csvOf(statement);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain(`statement-aurora-${group}-`);
    expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['opening', '0'],
      ['earned', '125'],
      ['earned', '400'],
      ['earned', '10'],
      ['reversed', '-100'],
      ['toPayouts', '-435'],
      ['closing', '0'],
    ]);
    expect(lines[1]).toMatchObject({
      reference: expect.stringMatching(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){2}$/),
      code: 'M-A',
      subtotal: '9.99',
      sharePercent: '12.5',
      rule: 'sent',
      exactShare: '1.24875',
      share: '1.25',
      amount: '1.25',
    });
    expect(lines[4]?.reference).toBe(lines[2]?.reference);
    expect(lines[5]).toMatchObject({ state: 'Created', paidAt: '', reference: expect.stringMatching(/-/) });
    for (const hidden of ['buyer-77', 'Buyer', kept.transactionId, back.transactionId, old.id])
      expect(text).not.toContain(hidden);
    await patch(kept.transactionId, { form: { playerId: 'someone-else' } });
    await months.close();
    expect((await csvOf(statement)).text).toBe(text);
  });

  test('finds the purchases of many postings, in any order of their dates', async () => {
    for (let posting = 0; posting < 130; posting += 1) {
      const transactionDate = posting % 3 === 0 ? '2021-05-05T00:00:00Z' : new Date().toISOString();
      await earn(group, 'A', posting + 1, { transactionDate });
      await settle();
    }
    await months.close();
    const [statement] = await listed();
    const { lines } = await csvOf(statement);
    const shares = lines.filter(({ kind }) => kind === 'earned').map(({ share }) => Number(share));
    expect(shares).toHaveLength(130);
    expect(shares).not.toContain(Number.NaN);
    expect(Math.round(shares.reduce((sum, share) => sum + share, 0) * 100)).toBe((130 * 131) / 2);
  });
});

describe('a claim', () => {
  test.each([
    ['moves', false],
    ['merges', true],
  ])('in the middle of a month that %s a member brings in its balance', async (_, isMember) => {
    const player = `p-claim-${groups}`;
    const claimed = await portal.generate(group, player);
    const own = `OWN-${groups}`;
    const claimer = isMember ? await makeMember(own) : await portal.makeOutsider(own);
    await earn(group, 'A', 250, { code: claimed });
    if (isMember) await earn(group, 'A', 30, { code: own });
    await settle();
    const month = await months.close();
    await earn(group, 'A', 5, { code: claimed });
    await settle();
    await portal.linked(group, claimer, player);
    await earn(group, 'A', 7, { code: claimed });
    await settle();
    const next = await months.close();
    const late = await earn(group, 'A', 1_000, { code: claimed });
    await settle();
    await refund(late.transactionId, { refundId: 'x', amount: 400, reason: 'Refund' });
    const last = await months.close();
    browser = await creator(`claimer-${groups}@example.com`, claimer);
    const shown = await amounts();
    expect(shown).toHaveLength(isMember ? 4 : 3);
    expect(shown).toEqual(
      expect.arrayContaining(
        isMember
          ? [
              [month, { earned: 250, closing: 250 }],
              [month, { earned: 30, closing: 30 }],
              [next, { opening: 30, earned: 12, claimed: 250, closing: 292 }],
              [last, { opening: 292, earned: 1_000, reversed: -400, closing: 892 }],
            ]
          : [
              [month, { earned: 250, closing: 250 }],
              [next, { opening: 250, earned: 12, closing: 262 }],
              [last, { opening: 262, earned: 1_000, reversed: -400, closing: 862 }],
            ],
      ),
    );
  });

  test('after the end of a month, but before it is closed, belongs to the next month', async () => {
    const claimed = await portal.generate(group, `p-late-${groups}`);
    const claimer = await makeMember(`LATE-${groups}`);
    await earn(group, 'A', 66, { code: claimed });
    await settle();
    const month = await months.end();
    await portal.linked(group, claimer, `p-late-${groups}`);
    await months.issue();
    const next = await months.close();
    browser = await creator(`late-${groups}@example.com`, claimer);
    expect(await amounts()).toEqual([
      [month, { earned: 66, closing: 66 }],
      [next, { claimed: 66, closing: 66 }],
    ]);
  });

  test('of a member who was already claimed in the month that ended belongs to the next month, too', async () => {
    const player = `p-chain-${groups}`;
    const first = await portal.generate(group, player);
    const between = await makeMember(`BETWEEN-${groups}`);
    const last = await makeMember(`LAST-${groups}`);
    await earn(group, 'A', 100, { code: first });
    await earn(group, 'A', 20, { code: `BETWEEN-${groups}` });
    await settle();
    const before = await months.close();
    await portal.linked(group, between, player);
    await earn(group, 'A', 5, { code: first });
    await earn(group, 'A', 3, { code: `LAST-${groups}` });
    await settle();
    const month = await months.end();
    // The publisher manages the codes again.
    await query(sql`update group_code set is_managed = true where group_id = ${group}`);
    await portal.linked(group, last, player);
    await months.issue();
    const next = await months.close();
    browser = await creator(`chain-${groups}@example.com`, last);
    const shown = await amounts();
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        [before, { earned: 100, closing: 100 }],
        [before, { earned: 20, closing: 20 }],
        [month, { opening: 20, earned: 5, claimed: 100, closing: 125 }],
        [month, { earned: 3, closing: 3 }],
        [next, { opening: 3, claimed: 125, closing: 128 }],
      ]),
    );
  });

  test('of a member who claimed another one in the month before brings in both balances', async () => {
    const player = `p-both-${groups}`;
    const first = await portal.generate(group, player);
    const between = await makeMember(`MID-${groups}`);
    const last = await makeMember(`END-${groups}`);
    await earn(group, 'A', 100, { code: first });
    await settle();
    const before = await months.close();
    await portal.linked(group, between, player);
    const middle = await months.close();
    await query(sql`update group_code set is_managed = true where group_id = ${group}`);
    await portal.linked(group, last, player);
    const next = await months.close();
    browser = await creator(`both-${groups}@example.com`, last);
    const shown = await amounts();
    expect(shown).toHaveLength(3);
    expect(shown).toEqual(
      expect.arrayContaining([
        [before, { earned: 100, closing: 100 }],
        [middle, { claimed: 100, closing: 100 }],
        [next, { claimed: 100, closing: 100 }],
      ]),
    );
  });
});

describe('statements are issued once', () => {
  /** Ends a month in which three creators earned something. */
  async function endBusyMonth() {
    await earn(group, 'A', 11);
    await earn(group, 'B', 22);
    await earn(group, 'B', 33, { currency: 'EUR' });
    await settle();
    await months.issue();
    return months.end();
  }

  test('when the work is killed before each of its statements, and after each commit', async () => {
    await endBusyMonth();
    const kills = [
      ...Array.from({ length: 40 }, (_, index) => ({ beforeStatement: index + 1 })),
      ...Array.from({ length: 6 }, (_, index) => ({ afterCommit: index + 1 })),
    ];
    const counts = new Set<number>();
    for (const kill of kills) {
      await issueStatements(crashing.db(kill), 'aurora').catch((error: unknown) =>
        expect(String(error)).toMatch(crashMessage),
      );
      await expectStatementsOfLedger(db());
      counts.add((await saved()).length);
    }
    await months.issue();
    expect(await amounts()).toHaveLength(1);
    expect(await query(sql`select 1 from statement where group_id = ${group}`)).toHaveLength(3);
    expect(counts.size, 'some were killed between the commits').toBeGreaterThan(1);
  });

  test('when the service stops, which ends the work after one creator', async () => {
    await endBusyMonth();
    let looks = 0;
    const stopping = new AbortController();
    const signal = new Proxy(stopping.signal, {
      get(target, name) {
        if (name !== 'aborted') return Reflect.get(target, name, target);
        looks += 1;
        return looks > 1; // the service stops while the first creator's statements are issued
      },
    });
    expect(await issueStatements(db(), 'aurora', signal)).toBeGreaterThan(0);
    const creators = async () =>
      (await query(sql`select distinct membership_id from statement where group_id = ${group}`)).length;
    expect(await creators()).toBe(1);
    await months.issue();
    expect(await creators()).toBe(2);
  });

  test('by two processes that work at the same time', async () => {
    await endBusyMonth();
    await Promise.all(Array.from({ length: 4 }, () => months.issue()));
    await months.issue();
    expect(await query(sql`select 1 from statement where group_id = ${group}`)).toHaveLength(3);
    await expect(
      query(sql`
        insert into statement
        select publisher_id, membership_id, currency, month, gen_random_uuid(), membership_ids, entries_from, entries_before,
               opening_minor, earned_minor, bounties_minor, reversed_minor, clawed_back_minor, reinstated_minor,
               to_payouts_minor, from_payouts_minor, claimed_minor, closing_minor, payouts, account_id, account_name,
               group_id, group_name, publisher_name, issued_at
        from statement where group_id = ${group} limit 1`),
    ).rejects.toThrow(/duplicate key/);
  });

  test('and can be neither changed nor deleted', async () => {
    await expect(query(sql`update statement set closing_minor = 0`)).rejects.toThrow(/permission denied/);
    await expect(query(sql`delete from statement`)).rejects.toThrow(/permission denied/);
  });
});

describe('`ledger verify`', () => {
  const rule = /^a statement contains what the ledger booked/;

  /** Runs SQL as a superuser, and returns what the ledger then breaks. The change is undone afterward. */
  async function brokenBy(change: string, undo: string): Promise<{ rule: string; row: string } | null> {
    const admin = new pg.Client(portal.service().testDatabase.adminConnection);
    await admin.connect();
    try {
      await admin.query(change);
      const verdict = await verifyLedger(db());
      await admin.query(undo);
      return verdict.isSound ? null : { rule: verdict.rule, row: verdict.row };
    } finally {
      await admin.end();
    }
  }

  /** Deletes statements, and returns what the ledger then breaks. */
  const brokenWithout = (which: string) =>
    brokenBy(
      `create table kept as select * from statement where ${which}; delete from statement where ${which}`,
      `insert into statement select * from kept; drop table kept`,
    );

  test('finds a wrong amount, a gap between two statements, and an entry that no statement contains', async () => {
    await earn(group, 'A', 100);
    await settle();
    await months.close();
    await earn(group, 'A', 40);
    await settle();
    await months.close();
    await earn(group, 'A', 5);
    await settle();
    const last = `(select max(month) from statement where group_id = '${group}')`;
    const move = (column: string, by: number, month: string) =>
      `update statement set ${column}_minor = ${column}_minor + ${by}, closing_minor = closing_minor + ${by}
       where group_id = '${group}' and month ${month}`;
    for (const [column, month, found] of [
      ['earned', `= ${last}`, 'earned'],
      ['bounties', `= ${last}`, 'bounties'],
      ['opening', `= ${last}`, 'opening'],
      ['claimed', `= ${last}`, 'closing'],
      ['claimed', `< ${last}`, 'opening'],
      ['reinstated', `< ${last}`, 'reinstated'],
      ['from_payouts', `< ${last}`, 'from payouts'],
    ] as const)
      expect([column, await brokenBy(move(column, 1, month), move(column, -1, month))]).toEqual([
        column,
        {
          rule: expect.stringMatching(rule),
          row: expect.stringMatching(`^statement [0-9a-f-]{36} \\(${found}\\)$`),
        },
      ]);
    // Amounts in the wrong columns, which add up to the same closing balance.
    const swap = (by: number) =>
      `update statement set earned_minor = earned_minor - ${by}, bounties_minor = bounties_minor + ${by}
       where group_id = '${group}' and month = ${last}`;
    expect(await brokenBy(swap(10), swap(-10))).toMatchObject({ row: expect.stringMatching(/\(earned\)$/) });
    const entry = `update ledger_entry set created_at = created_at`;
    const newest = `where created_at = (select max(created_at) from ledger_entry)`;
    const before = `- (now() - (select min(entries_before) from statement where group_id = '${group}')) - interval '1 millisecond'`;
    const [{ at } = { at: '' }] = await query(sql<{ at: string }>`
      select max(created_at)::text as at from ledger_entry`);
    expect(
      await brokenBy(
        `${entry} ${before} ${newest}`,
        `update ledger_entry set created_at = '${at}' where subject_id = (select max(subject_id::text)::uuid from ledger_entry where kind = 'payment')`,
      ),
    ).toMatchObject({ rule: expect.stringMatching(rule) });
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
  });

  test('finds a creator without statements, and a month without one, even if nothing was left at its end', async () => {
    await earn(group, 'A', 100);
    await earn(group, 'B', 30);
    await settle();
    const first = await months.close();
    const row = await earn(group, 'B', 8);
    await settle();
    await refund(row.transactionId, { refundId: 'all', amount: 8, reason: 'Refund' });
    const second = await months.close();
    const [batch] = await create(group);
    await cancel(batch?.batchId ?? '');
    const third = await months.close();
    const of = (name: string, month: string) =>
      `membership_id = (select membership_id from membership where account_id = 'acc_${group}_${name}')
       and month = '${month}-01'`;
    const missing = (amount: string) => ({
      rule: expect.stringMatching(rule),
      row: expect.stringMatching(`^statements of membership [0-9a-f-]{36} in USD \\(${amount}\\)$`),
    });
    expect(await brokenWithout(`group_id = '${group}' and ${of('A', first)}`)).toEqual(missing('earned'));
    expect(await brokenWithout(`group_id = '${group}' and ${of('B', second)}`)).toEqual(missing('earned'));
    expect(await brokenWithout(`group_id = '${group}' and ${of('B', third)}`)).toEqual(missing('payouts'));
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
  });

  test('agrees with the statements of a creator who was erased, also if the codes were replaced', async () => {
    await earn(group, 'A', 100);
    await settle();
    const [batch] = await create(group);
    await markPaid(batch?.batchId ?? '');
    await months.close();
    const [statement] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (statement === undefined) throw new Error('there is no statement');
    const csv = () => written((output) => exportStatement(db(), { statement }, output));
    const before = await csv();
    await eraseCreator({ db: db(), sealer: testSealer, clock: systemClock }, testActor, {
      ...{ accountId: statement.accountId, replacesCodes: true, givenUp: [], reason: null },
    });
    expect(await verifyLedger(db())).toMatchObject({ isSound: true });
    await months.close();
    // Only the code has changed.
    const after = await csv();
    expect(after).not.toBe(before);
    expect(after.replaceAll(/ERASED-[0-9A-F]{10}/g, 'M-A')).toBe(before);
  });
});
