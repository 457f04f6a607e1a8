import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { expectStatementsOfLedger } from '../../test/months.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { useStatements } from '../../test/statements.ts';
import { issueStatements } from '../settlement/statements/issue-statements.ts';

const scene = await useStatements();
const { portal, months, amounts, crashing } = scene;
const { earn, settle, query, db } = portal;

/** Reads all statements of the database, without the values that differ each time. */
const saved = () =>
  query(sql<{ id: string }>`
    select membership_id, currency, to_char(month, 'YYYY-MM') as month, opening_minor, closing_minor
    from statement order by 1, 2, 3`);

describe('statements are issued once', () => {
  /** Ends a month in which three creators earned something. */
  async function endBusyMonth() {
    await earn(scene.group, 'A', 11);
    await earn(scene.group, 'B', 22);
    await earn(scene.group, 'B', 33, { currency: 'EUR' });
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
      await issueStatements(crashing().db(kill), 'aurora').catch((error: unknown) =>
        expect(String(error)).toMatch(crashMessage),
      );
      await expectStatementsOfLedger(db());
      counts.add((await saved()).length);
    }
    await months.issue();
    expect(await amounts()).toHaveLength(1);
    expect(await query(sql`select 1 from statement where group_id = ${scene.group}`)).toHaveLength(3);
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
      (await query(sql`select distinct membership_id from statement where group_id = ${scene.group}`)).length;
    expect(await creators()).toBe(1);
    await months.issue();
    expect(await creators()).toBe(2);
  });

  test('by two processes that work at the same time', async () => {
    await endBusyMonth();
    await Promise.all(Array.from({ length: 4 }, () => months.issue()));
    await months.issue();
    expect(await query(sql`select 1 from statement where group_id = ${scene.group}`)).toHaveLength(3);
    await expect(
      query(sql`
        insert into statement
        select publisher_id, membership_id, currency, month, gen_random_uuid(), membership_ids, entries_from, entries_before,
               opening_minor, earned_minor, bounties_minor, reversed_minor, clawed_back_minor, reinstated_minor,
               to_payouts_minor, from_payouts_minor, claimed_minor, closing_minor, payouts, account_id, account_name,
               group_id, group_name, publisher_name, issued_at
        from statement where group_id = ${scene.group} limit 1`),
    ).rejects.toThrow(/duplicate key/);
  });

  test('and can be neither changed nor deleted', async () => {
    await expect(query(sql`update statement set closing_minor = 0`)).rejects.toThrow(/permission denied/);
    await expect(query(sql`delete from statement`)).rejects.toThrow(/permission denied/);
  });
});
