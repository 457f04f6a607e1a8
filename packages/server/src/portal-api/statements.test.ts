import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { expectStatementsOfLedger, monthsOf } from '../../test/months.ts';
import { usePortal } from '../../test/portal.ts';

const portal = await usePortal();
const { creator, makeGroup, earn, settle, create, markPaid, cancel, refund, query, db } = portal;
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
  await portal.expectSound();
});

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
    await earn(group, 'A', 70);
    await settle();
    const next = await months.close();
    await months.close(); // nothing was booked
    expect((await listed()).map((each) => [each.month, amountsOf(each)])).toEqual([
      [month, { earned: 1_500, reversed: -200, closing: 1_300 }],
      [next, { opening: 1_300, earned: 70, clawedBack: -1_000, toPayouts: -1_300, closing: -930 }],
    ]);
  });
});
