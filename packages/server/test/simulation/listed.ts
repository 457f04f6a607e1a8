import { expect } from 'vitest';
import { transactionsPath } from '../transactions.ts';
import { claimable, type GroupModel, type Row } from './model.ts';
import type { Random } from './random.ts';
import { accountOf, codeOf, members, playerOf } from './wave.ts';

const statuses = ['Normal', 'Refund', 'Fraud', 'Chargeback', 'Test'];

/** What a publisher asks for: which rows of a group, in what order, and which page of them. */
interface Question {
  query: URLSearchParams;
  isMeant(row: Row): boolean;
  isRising: boolean;
  page: number;
  pageSize: number;
}

/** A service and the key of the publisher that asks it. */
export interface Asked {
  url: string;
  key: string;
}

/** Asks for a numbered page of a random listing: its rows and its count are what the model says. */
export async function expectListed(asked: Asked, group: GroupModel, random: Random): Promise<void> {
  const { query, isMeant, isRising, page, pageSize } = question(group, random);
  const answer = await ask(asked, query);
  const all = group.rows().filter(isMeant).sort(inOrder);
  if (!isRising) all.reverse();
  expect(
    { status: answer.status, count: answer.headers.get('x-total-count'), rows: await shown(answer) },
    `${query}`,
  ).toEqual({
    status: 200,
    count: String(all.length),
    rows: all.slice((page - 1) * pageSize, page * pageSize).map(asShown),
  });
}

/** Walks through all rows of a group by cursor: each is there once, as the model says. */
export async function expectAllListed(asked: Asked, group: GroupModel, random: Random): Promise<void> {
  const all = group.rows().sort(inOrder).reverse();
  const found: unknown[] = [];
  const query = new URLSearchParams({ groupId: group.groupId, pageSize: String(1 + random.below(20)) });
  for (let next: string | null = ''; next !== null; ) {
    query.set('cursor', next);
    const answer = await ask(asked, query);
    expect(answer.status).toBe(200);
    found.push(...(await shown(answer)));
    next = answer.headers.get('x-next-cursor');
  }
  expect(found).toEqual(all.map(asShown));
}

function question(group: GroupModel, random: Random): Question {
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
  const isRising = random.oneIn(2);
  if (isRising) query.set('sort', 'transactionDate:asc');
  const pageSize = random.pick([1, 2, 3, 5, 50]);
  const isMeant = (row: Row): boolean => conditions.every((is) => is(row));
  const page = 1 + random.below(2 + Math.ceil(group.rows().filter(isMeant).length / pageSize));
  query.set('page', String(page));
  query.set('pageSize', String(pageSize));
  return { query, isMeant, isRising, page, pageSize };
}

function someStatuses(query: URLSearchParams, random: Random): (row: Row) => boolean {
  const meant = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(statuses)));
  query.set('status', [...meant].join().toLowerCase());
  return ({ status }) => meant.has(status);
}

/** By account, by player, by a code of the member's, or of the rows alone. */
function someMember(query: URLSearchParams, group: GroupModel, random: Random): (row: Row) => boolean {
  const member = random.pick(members);
  const ofMember = (row: Row): boolean => group.survivor(row.member) === group.survivor(member);
  const name: string = random.pick(['memberId', 'code', 'code of the row', 'playerId']);
  switch (name) {
    case 'memberId':
      query.set('memberId', accountOf(group.groupId, member));
      return ofMember;
    case 'playerId':
      query.set('playerId', playerOf(claimable));
      return (row) => group.survivor(row.member) === group.survivor(claimable);
    case 'code':
      query.set('code', random.oneIn(2) ? codeOf(member) : codeOf(member).toLowerCase());
      return ofMember;
    default:
      query.set('code', codeOf(member).toLowerCase());
      query.set('codeScope', 'code');
      return ({ code }) => code === codeOf(member);
  }
}

/** From, or to, the moment of a row or one beside it, or the beginning of its hour or day; both are inclusive. */
function someRange(query: URLSearchParams, group: GroupModel, random: Random): (row: Row) => boolean {
  const moment = (): number => {
    const { date } = random.pick(group.rows());
    const whole = random.pick([1, 1, 3_600_000, 86_400_000]);
    return date - (date % whole) + random.pick([-1, 0, 0, 1, whole]);
  };
  const from = random.oneIn(3) ? null : moment();
  const to = from === null || random.oneIn(2) ? moment() : null;
  if (from !== null) query.set('startDate', new Date(from).toISOString());
  if (to !== null) query.set('endDate', new Date(to).toISOString());
  return ({ date }) => (from === null || date >= from) && (to === null || date <= to);
}

/** By date, and by creation where that is the same. */
const inOrder = (one: Row, other: Row): number => one.date - other.date || (one.id < other.id ? -1 : 1);

const ask = ({ url, key }: Asked, query: URLSearchParams): Promise<Response> =>
  fetch(`${url}${transactionsPath}?${query}`, { headers: { 'x-shared-secret': key } });

/** What is shown of a row's money. */
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

/** A share is shown once its row is posted, and of a Test row never; what was sent is shown at once. */
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
