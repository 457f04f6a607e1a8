import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { MembershipId } from '../src/platform/database/tables.generated.ts';
import { readStatements } from '../src/settlement/payouts/month/read-statements.ts';
import type { LineResult } from '../src/settlement/payouts/results/result.ts';
import type { Browser } from './browser.ts';
import { operations } from './money.ts';
import { expectStatementsOfLedger, type Months, monthsOf } from './months.ts';
import { type PortalTest, usePortal } from './portal.ts';
import { type CrashingDatabase, openCrashingDatabase } from './simulation/crashing-database.ts';
import { testActor } from './test-actor.ts';

/** Statement as a creator reads it. */
export interface Shown {
  statementId: string;
  month: string;
  groupId: string;
  currency: string;
  openingMinor: string;
  closingMinor: string;
  [name: string]: unknown;
}

type Amounts = Record<string, number>;

/**
 * Functions for tests of statements. Each test has a new group with a member A, who is signed in. After each test, the ledger, all
 * statements and finance's files must agree.
 */
export interface StatementTest {
  portal: PortalTest;
  months: Months;
  /** Number of the test, for unique names. */
  number: number;
  group: string;
  /** Browser of the creator who reads statements. */
  browser: Browser;
  crashing(): CrashingDatabase;
  /** Adds a member to the group. A sandbox can have only group codes. @returns its account's id */
  makeMember(name: string): Promise<string>;
  /** Returns the statements of the group that the creator sees, the earliest month first. */
  listed(): Promise<Shown[]>;
  /** Returns the group's statements as [month, amounts that aren't zero], the earliest first. */
  amounts(): Promise<[string, Amounts][]>;
  /** Returns the payouts of each of the group's statements. */
  payoutsOf(): Promise<unknown[]>;
  /** Sets the result of a payout's only line. */
  setResult(payoutId?: string, result?: LineResult): Promise<void>;
  /** Returns the memberships of A. */
  membershipsOf(): Promise<MembershipId[]>;
  /** Downloads a statement's CSV. */
  csvOf(statement: Shown | undefined): Promise<Csv>;
}

interface Csv {
  answer: Awaited<ReturnType<Browser['get']>>;
  text: string;
  lines: Record<string, string | undefined>[];
}

export async function useStatements(): Promise<StatementTest> {
  const portal = await usePortal();
  const { query, db } = portal;
  let crashing: CrashingDatabase;
  beforeAll(() => {
    crashing = openCrashingDatabase(portal.service().testDatabase.connection);
  });
  afterAll(() => crashing?.close());

  let browser: Browser | undefined;
  const scene: StatementTest = {
    portal,
    months: monthsOf(db),
    number: 0,
    group: '',
    get browser() {
      if (browser === undefined) throw new Error('no creator is signed in');
      return browser;
    },
    set browser(other) {
      browser = other;
    },
    crashing: () => crashing,
    async makeMember(name) {
      const id = `acc_${name}`;
      await portal.provisionGroup(
        scene.group,
        `members: [ { id: ${id}, name: ${name}, codes: [ { code: ${name}, group: ${scene.group} } ] } ]`,
      );
      return id;
    },
    async listed() {
      const { status, body } = await scene.browser.get('/statements?publisher=aurora');
      expect(status).toBe(200);
      return (body.rows as Shown[]).filter(({ groupId }) => groupId === scene.group).reverse();
    },
    amounts: async () => (await scene.listed()).map((each) => [each.month, amountsOf(each)]),
    payoutsOf: async () => (await scene.listed()).map((each) => each.payouts),
    async setResult(payoutId = '', result = 'Paid') {
      const [item] = await query(sql<{ reference: string }>`
        select reference from payout_item where batch_id = ${payoutId}::uuid`);
      const reference = item?.reference ?? '';
      await operations.setResults(db(), testActor, {
        ...{ publisherId: 'aurora', payoutId, isDryRun: false },
        results: [{ line: 1, reference, result, note: null, problem: null }],
      });
    },
    membershipsOf: async () =>
      (
        await query(sql<{ id: MembershipId }>`
          select membership_id as id from membership where account_id = ${`acc_${scene.group}_A`}`)
      ).map(({ id }) => id),
    async csvOf(statement) {
      const path = `/statements/${statement?.statementId}/statement.csv?publisher=aurora`;
      const answer = await scene.browser.get(path);
      const [head = [], ...lines] = parse(answer.text.replace('\ufeff', '')) as string[][];
      return {
        answer,
        text: answer.text,
        lines: lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place]]))),
      };
    },
  };

  beforeEach(async () => {
    scene.number += 1;
    scene.group = `month-${scene.number}`;
    await portal.makeGroup(scene.group);
    scene.browser = await portal.creator(`${scene.group}@example.com`, `acc_${scene.group}_A`);
  });
  afterEach(async () => {
    await expectStatementsOfLedger(db());
    await expectFilesOfFinanceAgree(portal, scene.group);
    await portal.expectSound();
  });
  return scene;
}

/** Returns the amounts of a statement that aren't zero. */
const amountsOf = (statement: Shown): Amounts =>
  Object.fromEntries(
    Object.entries(statement).flatMap(([name, value]) =>
      name.endsWith('Minor') && value !== '0' ? [[name.slice(0, -5), Number(value)]] : [],
    ),
  );

/** Compares the group's statements with `statements.csv` of the month-end files, as docs/statements.md describes. */
async function expectFilesOfFinanceAgree({ query, db }: PortalTest, group: string): Promise<void> {
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
