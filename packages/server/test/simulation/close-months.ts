import { sql } from 'kysely';
import { expect } from 'vitest';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import { issueMonth } from '../../src/settlement/statements/issue-statements.ts';
import type { ClosingMonth } from '../../src/settlement/statements/next-month.ts';
import { lowestId } from '../../src/settlement/verify/checks/look-up.ts';
import { firstFinding } from '../../src/settlement/verify/checks/rules.ts';
import { missingStatements } from '../../src/settlement/verify/checks/statement-rules.ts';
import { expectStatementsOfLedger } from '../months.ts';
import { type Context, crashMessage } from './life.ts';
import type { Random } from './random.ts';

/**
 * Closes a publisher's month that began when the last one was closed, sometimes with crashes and several processes at once. The
 * months have made-up names. Expects all statements to agree with the ledger, and the closing balances with the current ones,
 * which are those of the model.
 */
export async function closeMonth({ service, crashing, publisherId }: Context, random: Random): Promise<void> {
  const { db } = service.testDatabase.database;
  await sql`
    insert into statement_progress (publisher_id, month, closes_at)
    values (${publisherId}, '2000-01-01', '2100-01-01')
    on conflict do nothing`.execute(db);
  await sql`select pg_sleep(0.002)`.execute(db);
  const { rows } = await sql<{ month: string; from: Date; until: Date }>`
    select to_char(p.month, 'YYYY-MM') as month, date_trunc('milliseconds', clock_timestamp()) as until,
           coalesce((select max(s.entries_before) from statement s where s.publisher_id = ${publisherId}), '2020-01-01') as from
    from statement_progress p
    where p.publisher_id = ${publisherId}`.execute(db);
  const [open] = rows;
  if (open === undefined) throw new Error('the publisher has no month');
  const { month, from, until } = open;
  const readClosing = async (): Promise<ClosingMonth | null> => {
    const progress = await sql<{ done_to: string }>`
      select done_to from statement_progress
      where publisher_id = ${publisherId} and month = ${`${month}-01`}::date`.execute(db);
    const [found] = progress.rows;
    if (found === undefined) return null;
    return {
      ...{ publisherId, month, from, until, entriesFrom: from, entriesBefore: until },
      doneTo: found.done_to,
    };
  };
  const close = async (at: typeof db): Promise<void> => {
    for (let closing = await readClosing(); closing !== null; closing = await readClosing())
      await issueMonth(at, closing);
  };
  for (let crashes = random.below(3); crashes > 0; crashes -= 1)
    await close(crashing.db({ beforeStatement: 1 + random.below(120) })).catch((error: unknown) =>
      expect(String(error)).toMatch(crashMessage),
    );
  await Promise.all(random.oneIn(3) ? [close(db), close(db)] : [close(db)]);
  await expectStatementsOfLedger(db);
  await expectClosingBalances({ service, publisherId });
  await expectNothingMissing({ service, publisherId }, until);
}

type At = Pick<Context, 'service' | 'publisherId'>;

/**
 * Expects that the statements leave out nothing. `ledger verify` does not find that here, because it calculates the end of the
 * closed months from the names of the months.
 */
async function expectNothingMissing({ service, publisherId }: At, before: Date): Promise<void> {
  const all = { from: lowestId, to: null };
  const months = { from: new Date('2020-01-01T00:00:00Z'), before };
  const finding = await inTransaction(service.testDatabase.database.db, (tx) =>
    firstFinding(tx, missingStatements(publisherId, all, months)),
  );
  expect(finding).toBeNull();
}

/** Expects the last statement of every member to end with the current balance. A member without one is owed nothing. */
async function expectClosingBalances({ service, publisherId }: At): Promise<void> {
  const { rows } = await sql`
    select m.account_id, b.currency, sum(b.balance_minor) as balance, s.closing_minor
    from member_balance b
    join membership r on r.publisher_id = b.publisher_id and r.membership_id = b.membership_id
    join membership m on m.publisher_id = b.publisher_id and m.membership_id = coalesce(r.merged_into, r.membership_id)
    left join lateral (
      select closing_minor
      from statement s
      where s.publisher_id = b.publisher_id and s.membership_id = m.membership_id and s.currency = b.currency
      order by s.month desc
      limit 1
    ) s on true
    where b.publisher_id = ${publisherId}
    group by m.account_id, m.membership_id, b.currency, s.closing_minor
    having sum(b.balance_minor) <> coalesce(s.closing_minor, 0)`.execute(service.testDatabase.database.db);
  expect(rows).toEqual([]);
}
