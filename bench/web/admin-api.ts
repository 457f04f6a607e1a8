import { randomInt } from 'node:crypto';
import { logProgress } from './progress.ts';
import type { Samples } from './samples.ts';
import type { Staff } from './staff.ts';

const budgets = { page: 60, row: 30, overview: 80, search: 100 };

interface Question {
  what: string;
  kind: keyof typeof budgets;
  path(samples: Samples): string;
}

export interface Answered {
  what: string;
  budgetMs: number;
  p50Ms: number;
  p95Ms: number;
  /** Duration of the first request. Expensive results are then cached for half a minute. */
  firstMs: number;
}

const query = (path: string, params: Record<string, string>): string =>
  `${path}?${new URLSearchParams({ ...params })}`;

const page = (what: string, path: Question['path']): Question => ({ what, kind: 'page', path });
const row = (what: string, path: Question['path']): Question => ({ what, kind: 'row', path });
const sums = (what: string, path: Question['path']): Question => ({ what, kind: 'overview', path });
const found = (what: string, path: Question['path']): Question => ({ what, kind: 'search', path });

const list = (params: Record<string, string>): string => query('/transactions', params);
const days = (count: number) => {
  const dayMs = 86_400_000;
  const until = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: text(until - count * dayMs), until: text(until) };
};

/** Requests that the screens send, for every option that a person can choose. */
const questions: readonly Question[] = [
  page('transactions, the newest', () => list({ limit: '50' })),
  page('transactions, 250 of a group', () => list({ limit: '250', group: 'main' })),
  page('transactions until a day', ({ moment }) => list({ until: moment() })),
  page('transactions, the oldest first', () => list({ sort: 'oldest' })),
  page('transactions of a status', () => list({ status: ['refund', 'test'][randomInt(2)] ?? 'refund' })),
  page('transactions of an origin', () => list({ origin: 'webshopCode' })),
  page('transactions of a creator', ({ member }) => list({ creator: member() })),
  page('transactions under a code', ({ code }) => list({ code: code() })),
  page('transactions with an id', ({ transaction }) => list({ transactionId: transaction() })),
  page('transactions of a code, status and days', ({ code, moment }) =>
    list({ code: code(), status: 'normal', until: moment() }),
  ),
  page('count of transactions', ({ moment }) =>
    query(
      '/transaction-count',
      [{}, { group: 'main' }, { status: 'test' }, { until: moment() }][randomInt(4)] ?? {},
    ),
  ),
  row('a transaction, explained', ({ transaction }) => `/transactions/${transaction()}`),
  row("a transaction's events", ({ transaction }) => `/transactions/${transaction()}/events`),
  row('a creator', ({ member }) => `/members/${member()}`),
  page('creators', () =>
    query('/members', [{}, { group: 'wide' }, { status: 'Pending' }, { group: 'main' }][randomInt(4)] ?? {}),
  ),
  page('creators by what their names begin with', ({ name }) => query('/members', { q: name() })),
  page('codes', () =>
    query('/codes', [{}, { group: 'wide' }, { q: 'w' }, { credits: 'true' }][randomInt(4)] ?? {}),
  ),
  row('codes that credit no one', () => query('/codes', { credits: 'false' })),
  page('count of creators', () => '/members/counts'),
  sums('overview of 30 days', () => query('/overview', days(30))),
  sums('overview of 92 days', () => query('/overview', days(92))),
  sums('overview of 92 days, a group', () => query('/overview', { ...days(92), group: 'wide' })),
  sums('day by day, 92 days', () => query('/rollups', days(92))),
  sums('top creators of 28 days', () => query('/top-creators', days(28))),
  sums('top creators of 92 days', () => query('/top-creators', days(92))),
  sums('top creators of 92 days, a group', () => query('/top-creators', { ...days(92), group: 'wide' })),
  sums('what needs attention', () => '/attention'),
  sums('live tail', () => '/tail'),
  found('search by id', ({ transaction }) => query('/search', { q: transaction() })),
  found('search by code', ({ code }) => query('/search', { q: code() })),
  found('search by the beginning of a name', ({ name }) => query('/search', { q: name() })),
  found('search without a match', () => query('/search', { q: `order-${randomInt(1e9)}` })),
  page('payout preview of 1,000 creators', () => query('/payouts/preview', { group: 'main' })),
  page('payout preview of 10,000 creators', () => query('/payouts/preview', { group: 'wide' })),
  page('payouts', () => '/payouts'),
  page('balances', () => query('/balances', { group: 'wide' })),
  page('ledger', () => '/ledger'),
  page('webhook endpoints', () => '/endpoints'),
  page('deliveries', ({ endpoint }) =>
    query('/deliveries', [{}, { endpointId: endpoint() }, { state: 'Failed' }][randomInt(3)] ?? {}),
  ),
  page('audit', () =>
    query('/audit', [{}, { action: 'payout.create' }, { target: 'member:acc_7' }][randomInt(3)] ?? {}),
  ),
  page('groups', () => '/groups'),
  page('schedules', () => '/schedules'),
  page('bounties', () => '/bounties'),
  page('keys', () => '/keys'),
  page('refused requests', () => '/requests'),
];

/** Number of measurements for each request. */
const times = Number(process.env.BENCH_TIMES ?? 60);
const warmUps = 3;
const maxMs = 10_000;

/** Sends the requests one after another, as a single person would. */
export async function measureAdminApi(staff: Staff, samples: Samples): Promise<Answered[]> {
  const all: Answered[] = [];
  for (const { what, kind, path } of questions) {
    const took: number[] = [];
    let firstMs: number | null = null;
    const endMs = performance.now() + maxMs;
    for (let n = -warmUps; n < times && (performance.now() < endMs || took.length < 10); n += 1) {
      const ms = await timeOf(staff, path(samples));
      firstMs ??= ms;
      if (n >= 0) took.push(ms);
    }
    all.push(judged({ what, budgetMs: budgets[kind], firstMs: firstMs ?? Number.NaN }, took));
  }
  all.push(await measureDeepPages(staff));
  return all;
}

/** Measures the pages that a person scrolling through the list would load, one after another by cursor. */
async function measureDeepPages(staff: Staff): Promise<Answered> {
  const took: number[] = [];
  let cursor: string | null = null;
  for (let n = 0; n < times; n += 1) {
    const startedAtMs = performance.now();
    const answer = await staff.ask(list({ limit: '250', ...(cursor !== null && { cursor }) }));
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null };
    took.push(performance.now() - startedAtMs);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return judged(
    {
      what: 'transactions, page after page by cursor',
      budgetMs: budgets.page,
      firstMs: took[0] ?? Number.NaN,
    },
    took,
  );
}

async function timeOf(staff: Staff, path: string): Promise<number> {
  const startedAtMs = performance.now();
  await (await staff.ask(path)).arrayBuffer();
  return performance.now() - startedAtMs;
}

function judged(of: Pick<Answered, 'what' | 'budgetMs' | 'firstMs'>, took: readonly number[]): Answered {
  const answered = { ...of, p50Ms: percentile(took, 0.5), p95Ms: percentile(took, 0.95) };
  logProgress(`${of.what}: ${timesOf(answered)} ms of ${of.budgetMs}`);
  return answered;
}

export const timesOf = ({ p50Ms, p95Ms, firstMs }: Answered): string =>
  `p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, the first ${firstMs.toFixed(1)}`;

/** Returns the smallest of the values that is at least as large as the given fraction of the values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
