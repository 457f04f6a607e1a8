import { median } from '../lib/report.ts';

export interface Target {
  url: string;
  key: string;
}

interface Question {
  what: string;
  large: string;
  /** Query for the small publisher, which doesn't have a page 200. */
  small: string;
}

const path = '/v1/attributions/transactions';
const pageSize = 500;
const rounds = 30;

const numbered = (what: string, page: number, smallPage = page): Question => ({
  what,
  large: `?pageSize=${pageSize}&page=${page}`,
  small: `?pageSize=${pageSize}&page=${smallPage}`,
});
const alike = (what: string, query: string): Question => ({ what, large: query, small: query });

/** Returns the queries to compare. The small publisher has twenty pages of 500 rows. */
const questions = (now: Date): readonly Question[] => {
  const daysAgo = (days: number): string =>
    new Date(now.getTime() - days * 86_400_000 - 1_234_567).toISOString();
  const month = `startDate=${daysAgo(50)}&endDate=${daysAgo(20)}`;
  return [
    alike('first page by cursor', `?pageSize=${pageSize}`),
    alike('page by cursor in the middle', `?pageSize=${pageSize}&endDate=${daysAgo(45)}`),
    alike('first page by cursor, a member', `?pageSize=${pageSize}&playerId=p-3`),
    numbered('page 1', 1),
    numbered('page 20', 20),
    numbered('page 200 against 20', 200, 20),
    numbered('page 2000 against 20', 2_000, 20),
    alike('page 2, a member', `?pageSize=100&page=2&playerId=p-3`),
    alike('page 2, a code exactly', `?pageSize=100&page=2&code=CODE3&codeScope=code`),
    alike('page 5, thirty days', `?pageSize=${pageSize}&page=5&${month}`),
    alike('count of all', '?pageSize=1&page=1'),
    alike('count of thirty days', `?pageSize=1&page=1&${month}`),
    alike('count of Test rows', '?pageSize=1&page=1&status=test'),
    alike('count of a member', '?pageSize=1&page=1&playerId=p-3'),
  ];
};

export interface Compared {
  what: string;
  smallMs: number;
  largeMs: number;
}

interface Targets {
  small: Target;
  large: Target;
}

/** Reads pages of both publishers in alternation, and compares the medians. */
export const comparePages = (targets: Targets, now: Date): Promise<Compared[]> =>
  compare(targets, questions(now));

/**
 * Reads pages deep within one busy hour. The service skips that hour's rows one by one (ADR 0009). No limit
 * is set for the ratio, because the ratio grows with the number of rows in the hour.
 */
export const comparePagesWithinAnHour = (targets: Targets): Promise<Compared[]> =>
  compare(targets, [
    numbered('page 20 within one busy hour', 20),
    numbered('page 200 within one busy hour, against 20', 200, 20),
    numbered('page 1000 within one busy hour, against 20', 1_000, 20),
  ]);

async function compare(targets: Targets, asked: readonly Question[]): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const { what, small, large } of asked) {
    if ((await time(targets.large, large)) === null) continue;
    const times = { small: [] as number[], large: [] as number[] };
    const endMs = performance.now() + 20_000;
    for (let round = -3; round < rounds && performance.now() < endMs; round += 1) {
      const took = { small: await time(targets.small, small), large: await time(targets.large, large) };
      if (round < 0 || took.small === null || took.large === null) continue;
      times.small.push(took.small);
      times.large.push(took.large);
    }
    compared.push({ what, smallMs: median(times.small), largeMs: median(times.large) });
  }
  return compared;
}

/** @returns milliseconds; null for a page that does not exist */
async function time({ url, key }: Target, query: string): Promise<number | null> {
  const startedAtMs = performance.now();
  const response = await fetch(url + path + query, {
    headers: { 'x-shared-secret': key },
    signal: AbortSignal.timeout(60_000),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${body.slice(0, 200)}`);
  return body === '[]' ? null : performance.now() - startedAtMs;
}
