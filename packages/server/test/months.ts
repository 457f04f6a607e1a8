import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { expect } from 'vitest';
import type { Db } from '../src/platform/database/database.ts';
import { issueStatements } from '../src/settlement/statements/issue-statements.ts';
import { publishersToClose } from '../src/settlement/statements/next-month.ts';

const publisherId = 'aurora';

/**
 * Functions that move aurora through months. Aurora becomes a sandbox, whose clock can be moved; its ledger entries keep the
 * database's times.
 */
export interface Months {
  /** Current month on aurora's clock, such as `2026-10`. */
  current(): Promise<string>;
  /** Moves aurora's clock to the second hour of the next month. @returns the month that ended */
  end(): Promise<string>;
  /** Ends the month, and issues its statements. @returns the month */
  close(): Promise<string>;
  /** Issues the statements of all months that are over. */
  issue(at?: Db): Promise<number>;
}

export function monthsOf(db: () => Db): Months {
  const run = async <Row>(text: RawBuilder<Row>): Promise<Row[]> => (await text.execute(db())).rows;
  const time = async (): Promise<Date> => {
    const [found] = await run(sql<{ at: Date }>`
      select now() + coalesce(max(ahead_ms), 0) * interval '1 millisecond' as at from clock_move
      where publisher_id = ${publisherId}`);
    return found?.at ?? new Date(0);
  };
  const months: Months = {
    current: async () => (await time()).toISOString().slice(0, 7),
    async end() {
      await run(sql`update publisher set sandbox_of = 'rival' where publisher_id = ${publisherId}`);
      const month = await months.current();
      const at = await time();
      const to = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 2);
      await run(sql`
        insert into clock_move (publisher_id, ahead_ms, sandbox_of, moved_at)
        select ${publisherId}, coalesce(max(ahead_ms), 0) + ${to - at.getTime()}, 'rival',
               date_trunc('milliseconds', clock_timestamp())
        from clock_move where publisher_id = ${publisherId}`);
      await run(sql`select pg_sleep(0.002)`);
      return month;
    },
    async close() {
      await publishersToClose(db());
      const month = await months.end();
      await months.issue();
      return month;
    },
    async issue(at = db()) {
      let read = 0;
      while ((await publishersToClose(at)).includes(publisherId)) {
        const done = await issueStatements(at, publisherId);
        if (done === 0) return read;
        read += done;
      }
      return read;
    },
  };
  return months;
}

/**
 * Makes aurora a live publisher again, with the real time. Its statements stay. Their months are in the future then, so its
 * ledger must not be verified afterward.
 * @param connection a superuser's
 */
export async function endSandbox(connection: pg.ClientConfig): Promise<void> {
  const admin = new pg.Client(connection);
  await admin.connect();
  try {
    await admin.query('set session_replication_role = replica'); // the key's check would read as the tables' owner, who may not
    await admin.query(`delete from clock_move where publisher_id = '${publisherId}'`);
    await admin.query(`update publisher set sandbox_of = null where publisher_id = '${publisherId}'`);
  } finally {
    await admin.end();
  }
}

/**
 * Compares all statements with the ledger, by sums that share no code with the statements: each kind of movement, the closing
 * balance, and the opening balance, which is the closing balance of the member's statement before.
 * @returns the number of statements
 */
export async function expectStatementsOfLedger(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string; wrong: string | null }>`
    with moved as (
      select s.statement_id,
             coalesce(sum(e.amount_minor) filter (where e.kind = 'payment' and w.progress_reward_id is null and inside), 0) as earned,
             coalesce(sum(e.amount_minor) filter (where w.progress_reward_id is not null and inside), 0) as bounties,
             coalesce(sum(e.amount_minor) filter (where e.kind = 'refund' and inside), 0) as reversed,
             coalesce(sum(e.amount_minor) filter (where e.kind = 'adjustment' and inside), 0) as clawed_back,
             coalesce(sum(e.amount_minor) filter (where e.kind = 'reinstatement' and inside), 0) as reinstated,
             coalesce(sum(e.amount_minor) filter (where e.kind in ('payout', 'payout-return') and inside), 0) as payouts,
             coalesce(sum(e.amount_minor) filter (where e.created_at < s.entries_before), 0) as closing
      from statement s
      left join ledger_entry e
        on e.publisher_id = s.publisher_id and e.membership_id = any(s.membership_ids) and e.currency = s.currency
      left join reward_payment w on w.publisher_id = e.publisher_id and w.progress_reward_id = e.subject_id and e.kind = 'payment'
      cross join lateral (select e.created_at >= s.entries_from and e.created_at < s.entries_before as inside) span
      group by s.statement_id
    ), ordered as (
      select s.*, lag(s.closing_minor) over (partition by s.publisher_id, s.membership_id, s.currency order by s.month) as before
      from statement s
    )
    select s.statement_id as id, case
      when m.earned <> s.earned_minor then 'earned'
      when m.bounties <> s.bounties_minor then 'bounties'
      when m.reversed <> s.reversed_minor then 'reversed'
      when m.clawed_back <> s.clawed_back_minor then 'clawed back'
      when m.reinstated <> s.reinstated_minor then 'reinstated'
      when m.payouts <> s.to_payouts_minor + s.from_payouts_minor then 'payouts'
      when m.closing <> s.closing_minor then 'closing'
      when s.before is not null and s.before <> s.opening_minor then 'opening'
    end as wrong
    from ordered s
    join moved m on m.statement_id = s.statement_id`.execute(db);
  expect(rows.filter(({ wrong }) => wrong !== null)).toEqual([]);
  return rows.length;
}
