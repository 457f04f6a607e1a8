import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { amount, bounty, newPlayers, purchases, useBounties } from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';

const at = useBounties();
const { record, patch, settle, check, query } = at;

interface Row {
  member: 'A' | 'B';
  subtotal: number;
  currency: string;
  skuId: string | null;
}
interface Purchase {
  transactionId: string;
  rows: Row[];
  month: number;
  player: number;
  isTest: boolean;
  state: 'waiting' | 'settled';
  isReversed: boolean;
  /** True for the player's first purchase. Posting decides which purchase is the first. */
  isFirst: boolean;
  /**
   * True if the purchase was reversed after the bounty's end, in which case the bounty still counts the
   * purchase.
   */
  wasCountedAtEnd: boolean;
}
interface Objective {
  kind: 'Count' | 'Amount' | 'NewPlayers';
  target: number;
  currency: string | null;
  skuId: string | null;
}
interface Bounty {
  objectives: Objective[];
  limit: number | null;
  fromMonth: number;
  toMonth: number | null;
  requires: number | null;
}

/** Bounties as of July 1. The last bounty is over, and the others are open. */
const now = '2026-07-01T00:00:00.000Z';
const dateOf = (month: number): string => new Date(Date.UTC(2026, month - 1, 15)).toISOString();
const startOf = (month: number): string => new Date(Date.UTC(2026, month - 1, 1)).toISOString();
const defined: Bounty[] = [
  {
    objectives: [{ kind: 'Count', target: 2, currency: null, skuId: null }],
    limit: null,
    fromMonth: 2,
    toMonth: null,
    requires: null,
  },
  {
    objectives: [
      { kind: 'Amount', target: 40, currency: 'USD', skuId: null },
      { kind: 'Count', target: 1, currency: null, skuId: 'sword' },
    ],
    limit: 3,
    fromMonth: 1,
    toMonth: 12,
    requires: 0,
  },
  {
    objectives: [{ kind: 'NewPlayers', target: 2, currency: null, skuId: null }],
    limit: 1,
    fromMonth: 1,
    toMonth: null,
    requires: 1,
  },
  {
    objectives: [
      { kind: 'Amount', target: 25, currency: 'JPY', skuId: 'sword' },
      { kind: 'NewPlayers', target: 1, currency: null, skuId: null },
    ],
    limit: 2,
    fromMonth: 3,
    toMonth: 6,
    requires: null,
  },
];
const isOver = ({ toMonth }: Bounty): boolean => toMonth !== null && startOf(toMonth) <= now;

/**
 * Returns a purchase's value for an objective and member, calculated in the simple way that the documentation
 * describes.
 */
function worth(objective: Objective, member: 'A' | 'B', { rows, isFirst }: Purchase): number {
  const matching = rows.filter(
    (row) =>
      row.member === member &&
      (objective.currency === null || row.currency === objective.currency) &&
      (objective.skuId === null || row.skuId === objective.skuId),
  );
  if (matching.length === 0 || (objective.kind === 'NewPlayers' && !isFirst)) return 0;
  return objective.kind === 'Amount' ? matching.reduce((sum, { subtotal }) => sum + subtotal, 0) : 1;
}

const totalsOf = (made: Bounty, member: 'A' | 'B', all: readonly Purchase[]): number[] =>
  made.objectives.map((objective) =>
    all
      .filter((each) => each.state === 'settled' && !each.isTest)
      .filter((each) => each.month >= made.fromMonth && (made.toMonth === null || each.month < made.toMonth))
      .filter((each) => !each.isReversed || (isOver(made) && each.wasCountedAtEnd))
      .reduce((sum, each) => sum + worth(objective, member, each), 0),
  );

class Model {
  readonly purchases: Purchase[] = [];
  readonly completions = { A: defined.map(() => 0), B: defined.map(() => 0) };
  readonly #players = new Set<number>();

  settle(): void {
    for (const each of this.purchases.filter(({ state, isTest }) => state === 'waiting' && !isTest)) {
      each.state = 'settled';
      each.isFirst = !this.#players.has(each.player);
      this.#players.add(each.player);
    }
  }

  refund(each: Purchase): void {
    if (each.isReversed) return;
    each.isReversed = true;
    each.wasCountedAtEnd = each.state === 'settled';
  }

  check(): void {
    for (const member of ['A', 'B'] as const) {
      const done = this.completions[member];
      for (let isMoving = true; isMoving; ) {
        isMoving = false;
        for (const [index, made] of defined.entries()) {
          if (made.requires !== null && done[made.requires] === 0) continue;
          const totals = totalsOf(made, member, this.purchases);
          const times = Math.min(
            ...made.objectives.map(({ target }, place) => Math.floor((totals[place] ?? 0) / target)),
          );
          const earned = Math.min(times, made.limit ?? times);
          if (earned <= (done[index] ?? 0)) continue;
          done[index] = earned;
          isMoving = true;
        }
      }
    }
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      rows: fc.array(
        fc.record({
          member: fc.constantFrom('A' as const, 'B' as const),
          subtotal: fc.integer({ min: 1, max: 30 }),
          currency: fc.constantFrom('USD', 'JPY'),
          skuId: fc.constantFrom(null, 'sword'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      month: fc.integer({ min: 1, max: 8 }),
      player: fc.integer({ min: 1, max: 6 }),
      isTest: fc.nat(9).map((number) => number === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'check' as const }) },
);

let runs = 0;

test('progress matches a simple model for random histories of purchases, reversals and checks', async () => {
  at.setNow(now);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      runs += 1;
      const group = `model-${runs}`;
      await at.makeGroup(group);
      const idOf = (index: number): string => `${group}-${index}`;
      await at.defineAll(
        defined.map(({ objectives, limit, fromMonth, toMonth, requires }, index) =>
          bounty({
            id: idOf(index),
            limit,
            startsAt: startOf(fromMonth),
            ...(toMonth !== null && { endsAt: startOf(toMonth) }),
            prerequisites: requires === null ? [] : [idOf(requires)],
            objectives: objectives.map(({ kind, target, currency, skuId }) => {
              const skus = skuId === null ? {} : { skus: [{ id: skuId }] };
              if (kind === 'Amount') return amount(target, currency ?? '', skus);
              return kind === 'Count' ? purchases(target, skus) : newPlayers(target, skus);
            }),
            rewards: [{ name: 'Bonus', type: 'Payment', amount: 3, currency: 'EUR' }],
          }),
        ),
        group,
      );
      const model = new Model();
      for (const each of steps) {
        if (each.do === 'record') {
          const { transactionId } = purchase();
          const sent = each.rows.map(({ member, subtotal, currency, skuId }) => ({
            ...purchase({ transactionId, code: `M-${member}`, subtotal, currency }),
            transactionDate: dateOf(each.month),
            playerId: `${group}-${each.player}`,
            ...(skuId !== null && { skuId }),
            ...(each.isTest && { status: 'Test' }),
          }));
          expect((await record(sent, { query: `?groupId=${group}` })).status).toBe(200);
          model.purchases.push({
            ...each,
            transactionId,
            state: 'waiting',
            isReversed: false,
            isFirst: false,
            wasCountedAtEnd: false,
          });
        } else if (each.do === 'refund') {
          const target = model.purchases[each.which % Math.max(1, model.purchases.length)];
          if (target === undefined) continue;
          expect((await patch(target.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
          model.refund(target);
        } else if (each.do === 'settle') {
          await settle();
          model.settle();
        } else {
          await check();
          model.check();
        }
        expect(await kept(group)).toEqual(expected(model, group));
      }
      await settle();
      model.settle();
      await check();
      model.check();
      expect(await kept(group)).toEqual(expected(model, group));
      const completions = [...model.completions.A, ...model.completions.B].reduce(
        (sum, count) => sum + count,
        0,
      );
      const [owed] = await query(sql<{ n: string | null }>`
        select sum(b.balance_minor) as n
        from member_balance b
        join membership m using (publisher_id, membership_id)
        where m.group_id = ${group} and b.currency = 'EUR'`);
      expect(Number(owed?.n ?? 0)).toBe(completions * 3);
    }),
    { numRuns: Number(process.env.BOUNTY_HISTORIES ?? 12) },
  );
  await at.expectSound();
}, 300_000);

/** Returns completions and totals by bounty and member, excluding members without contributions. */
async function kept(group: string): Promise<string[]> {
  const rows = await query(sql<{ line: string }>`
    select m.account_id || ' ' || b.bounty_id || ' ' || coalesce(p.completion_count, 0) || ': ' ||
           string_agg(coalesce(t.total, 0)::text, ',' order by o.position) as line
    from bounty b
    join membership m using (publisher_id, group_id)
    join bounty_objective o using (publisher_id, bounty_id)
    left join bounty_progress p using (publisher_id, bounty_id, membership_id)
    left join bounty_total t using (publisher_id, objective_id, membership_id)
    where b.publisher_id = 'aurora' and b.group_id = ${group}
    group by m.account_id, b.bounty_id, p.completion_count
    order by 1`);
  return rows.map(({ line }) => line);
}

const expected = (model: Model, group: string): string[] =>
  (['A', 'B'] as const).flatMap((member) =>
    defined.map(
      (made, index) =>
        `acc_${group}_${member} ${group}-${index} ${model.completions[member][index]}: ${totalsOf(made, member, model.purchases)}`,
    ),
  );
