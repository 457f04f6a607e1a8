import { expect } from 'vitest';
import { transactionsPath } from '../transactions.ts';
import { claimable, type Row } from './model/records.ts';
import type { GroupModel } from './model.ts';
import type { Random } from './random.ts';
import { accountOf, codeOf, members, playerOf } from './wave.ts';

const statuses = ['Normal', 'Refund', 'Fraud', 'Chargeback', 'Test'];

/** Query for a page of a group's rows, with the model's filter and order. */
interface ListQuery {
  query: URLSearchParams;
  matches(row: Row): boolean;
  isAscending: boolean;
  page: number;
  pageSize: number;
}

export interface Target {
  url: string;
  key: string;
}

/** Requests a numbered page of a random query, and compares its rows and count with the model. */
export async function expectListed(target: Target, group: GroupModel, random: Random): Promise<void> {
  const { query, matches, isAscending, page, pageSize } = randomQuery(group, random);
  const answer = await fetchPage(target, query);
  const all = group.rows().filter(matches).sort(inOrder);
  if (!isAscending) all.reverse();
  expect(
    { status: answer.status, count: answer.headers.get('x-total-count'), rows: await shown(answer) },
    `${query}`,
  ).toEqual({
    status: 200,
    count: String(all.length),
    rows: all.slice((page - 1) * pageSize, page * pageSize).map(asShown),
  });
}

export async function expectAllListed(target: Target, group: GroupModel, random: Random): Promise<void> {
  const all = group.rows().sort(inOrder).reverse();
  const found: unknown[] = [];
  const query = new URLSearchParams({ groupId: group.groupId, pageSize: String(1 + random.below(20)) });
  for (let next: string | null = ''; next !== null; ) {
    query.set('cursor', next);
    const answer = await fetchPage(target, query);
    expect(answer.status).toBe(200);
    found.push(...(await shown(answer)));
    next = answer.headers.get('x-next-cursor');
  }
  expect(found).toEqual(all.map(asShown));
}

function randomQuery(group: GroupModel, random: Random): ListQuery {
  const query = new URLSearchParams({ groupId: group.groupId });
  const conditions: ((row: Row) => boolean)[] = [];
  if (random.oneIn(2)) conditions.push(someStatuses(query, random));
  if (random.oneIn(2)) conditions.push(someMember(query, group, random));
  if (random.oneIn(2)) conditions.push(someRange(query, group, random));
  if (random.oneIn(8)) {
    const origin = random.pick(['api', 'webshopCode', 'api,storefrontCode']);
    query.set('origin', origin);
    conditions.push(() => origin.includes('api'));
  }
  const isAscending = random.oneIn(2);
  if (isAscending) query.set('sort', 'transactionDate:asc');
  const pageSize = random.pick([1, 2, 3, 5, 50]);
  const matches = (row: Row): boolean => conditions.every((is) => is(row));
  const page = 1 + random.below(2 + Math.ceil(group.rows().filter(matches).length / pageSize));
  query.set('page', String(page));
  query.set('pageSize', String(pageSize));
  return { query, matches, isAscending, page, pageSize };
}

function someStatuses(query: URLSearchParams, random: Random): (row: Row) => boolean {
  const meant = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(statuses)));
  query.set('status', [...meant].join().toLowerCase());
  return ({ status }) => meant.has(status);
}

/** Adds a filter by account, player, one of the member's codes, or the rows' code. */
function someMember(query: URLSearchParams, group: GroupModel, random: Random): (row: Row) => boolean {
  const member = random.pick(members);
  const ofMember = (row: Row): boolean =>
    group.creators.survivor(row.member) === group.creators.survivor(member);
  const name: string = random.pick(['memberId', 'code', 'code of the row', 'playerId']);
  switch (name) {
    case 'memberId':
      query.set('memberId', accountOf(group.groupId, member));
      return ofMember;
    case 'playerId':
      query.set('playerId', playerOf(claimable));
      return (row) => group.creators.survivor(row.member) === group.creators.survivor(claimable);
    case 'code':
      query.set('code', random.oneIn(2) ? codeOf(member) : codeOf(member).toLowerCase());
      return ofMember;
    default:
      query.set('code', codeOf(member).toLowerCase());
      query.set('codeScope', 'code');
      return ({ code }) => code === codeOf(member);
  }
}

/**
 * Adds a date range that starts or ends exactly at, or just before or after, a row's date or the start of its
 * hour or day. Both ends are inclusive.
 */
function someRange(query: URLSearchParams, group: GroupModel, random: Random): (row: Row) => boolean {
  const randomDate = (): number => {
    const { date } = random.pick(group.rows());
    const whole = random.pick([1, 1, 3_600_000, 86_400_000]);
    return date - (date % whole) + random.pick([-1, 0, 0, 1, whole]);
  };
  const from = random.oneIn(3) ? null : randomDate();
  const to = from === null || random.oneIn(2) ? randomDate() : null;
  if (from !== null) query.set('startDate', new Date(from).toISOString());
  if (to !== null) query.set('endDate', new Date(to).toISOString());
  return ({ date }) => (from === null || date >= from) && (to === null || date <= to);
}

/** Compares rows by date, then by recording order. */
const inOrder = (one: Row, other: Row): number => one.date - other.date || (one.id < other.id ? -1 : 1);

const fetchPage = ({ url, key }: Target, query: URLSearchParams): Promise<Response> =>
  fetch(`${url}${transactionsPath}?${query}`, { headers: { 'x-shared-secret': key } });

/** Returns the money fields from a response's rows. */
async function shown(answer: Response): Promise<unknown[]> {
  const body = (await answer.json()) as { transaction: Record<string, unknown> }[];
  if (!Array.isArray(body)) return [body];
  return body.map(({ transaction: { id, status, memberShareAmount, memberSharePercent, memberPaid } }) => ({
    id,
    status,
    memberShareAmount,
    memberSharePercent,
    memberPaid,
  }));
}

/**
 * Returns a row's expected money fields. A share is shown once the row is posted, and never for a Test row. A percentage
 * sent with the purchase is shown immediately.
 */
function asShown(row: Row) {
  const isDecided = row.isPosted && !row.isTest;
  const share = isDecided ? row.share : row.sent;
  return {
    id: row.id,
    status: row.status,
    memberShareAmount: isDecided ? Number(row.amount) : undefined,
    memberSharePercent: share === null ? undefined : share / 10_000,
    memberPaid: row.batch?.status === 'Paid',
  };
}
