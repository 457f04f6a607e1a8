import type { MonthSpan } from './month-span.ts';
import type { Movements, Statement } from './read-statements.ts';

export type Figures = Movements & {
  memberCount: number;
  /** Sum of the positive closing balances. */
  owedMinor: bigint;
  owedCount: number;
  /** Sum of the negative closing balances. */
  owingMinor: bigint;
  owingCount: number;
};

const movements = [
  'openingMinor',
  'earnedMinor',
  'reversedMinor',
  'clawedBackMinor',
  'bountiesMinor',
  'paidMinor',
  'closingMinor',
] as const satisfies readonly (keyof Movements)[];

const noFigures = (): Figures => ({
  openingMinor: 0n,
  earnedMinor: 0n,
  reversedMinor: 0n,
  clawedBackMinor: 0n,
  bountiesMinor: 0n,
  paidMinor: 0n,
  closingMinor: 0n,
  memberCount: 0,
  owedMinor: 0n,
  owedCount: 0,
  owingMinor: 0n,
  owingCount: 0,
});

/** Totals of a month's files, added up line by line as the files are written. Currencies are never mixed. */
export class MonthSums {
  readonly span: MonthSpan;
  readonly #byGroup = new Map<string, Figures & { groupId: string; currency: string }>();
  readonly #bookedMinor = new Map<string, bigint>();
  readonly #clawbacksMinor = new Map<string, bigint>();
  readonly #balancesMinor = new Map<string, bigint>();

  constructor(span: MonthSpan) {
    this.span = span;
  }

  addStatement(statement: Statement): void {
    const { groupId, currency, closingMinor } = statement;
    const key = `${groupId}\n${currency}`;
    const sum = this.#byGroup.get(key) ?? { groupId, currency, ...noFigures() };
    this.#byGroup.set(key, sum);
    for (const name of movements) sum[name] += statement[name];
    sum.memberCount += 1;
    if (closingMinor > 0n) {
      sum.owedMinor += closingMinor;
      sum.owedCount += 1;
    } else if (closingMinor < 0n) {
      sum.owingMinor += closingMinor;
      sum.owingCount += 1;
    }
  }

  addBooked = (currency: string, minor: bigint): void => add(this.#bookedMinor, currency, minor);
  addClawback = (currency: string, minor: bigint): void => add(this.#clawbacksMinor, currency, minor);
  addBalance = (currency: string, minor: bigint): void => add(this.#balancesMinor, currency, minor);

  /** Totals, sorted by group and currency. */
  byGroup(): (Figures & { groupId: string; currency: string })[] {
    return [...this.#byGroup.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, sum]) => sum);
  }

  /** Totals by currency, each with the sum from another file that must equal one of its figures. */
  byCurrency(): (Movements & {
    currency: string;
    checks: { file: string; column: string; of: string; minor: bigint; expectedMinor: bigint }[];
  })[] {
    const all = new Map<string, Figures>();
    for (const { currency, ...figures } of this.byGroup()) {
      const sum = all.get(currency) ?? noFigures();
      all.set(currency, sum);
      for (const name of movements) sum[name] += figures[name];
    }
    for (const other of [this.#bookedMinor, this.#clawbacksMinor, this.#balancesMinor])
      for (const currency of other.keys()) if (!all.has(currency)) all.set(currency, noFigures());
    return [...all.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => ({
        ...sum,
        currency,
        checks: [
          {
            file: 'payouts.csv',
            column: 'booked',
            of: 'paid',
            minor: this.#bookedMinor.get(currency) ?? 0n,
            expectedMinor: sum.paidMinor,
          },
          {
            file: 'clawbacks.csv',
            column: 'amount',
            of: 'clawedBack',
            minor: this.#clawbacksMinor.get(currency) ?? 0n,
            expectedMinor: sum.clawedBackMinor,
          },
          {
            file: 'balances.csv',
            column: 'balance',
            of: 'closing',
            minor: this.#balancesMinor.get(currency) ?? 0n,
            expectedMinor: sum.closingMinor,
          },
        ],
      }));
  }
}

function add(sums: Map<string, bigint>, currency: string, minor: bigint): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + minor);
}
