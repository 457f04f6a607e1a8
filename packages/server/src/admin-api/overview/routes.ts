import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import type { Service } from '../../composition.ts';
import { countJoined } from '../../members/read/count-joined.ts';
import { maxCounted } from '../../members/read/count-members.ts';
import { type Attention, findAttention } from '../../notifications/attention/find-attention.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timeOfRowId, toAttributionId } from '../../platform/ids.ts';
import { nowAt, readAheadMs, serviceTimeOf } from '../../publishers/publisher-time.ts';
import { countPayouts } from '../../settlement/payouts/read/count-payouts.ts';
import { readDailyTotals, readTotals, type Sums } from '../../settlement/read-totals.ts';
import { adminOperations } from '../admin-operations.ts';
import { currencyCode, groupQuery } from '../schemas.ts';
import { groupsOf } from '../transactions/staff-listing.ts';
import { toTransactionRow } from '../transactions/transaction-schemas.ts';
import { findRisingCreators, type RisingCreator } from './find-rising-creators.ts';
import {
  attention,
  changes,
  comparedQuery,
  daysQuery,
  overview,
  risingCreators,
  rollups,
  tail,
  topCreators,
  toSums,
  zeroSums,
} from './overview-schemas.ts';
import { type RankedCreator, rankCreators } from './rank-creators.ts';
import { createTail } from './read-tail.ts';
import { comparableDays, comparedWith, firstDayOf, readUtcDays, type UtcDays } from './utc-days.ts';

const sumDays = { defaultDays: 28, maxDays: 366 };
/**
 * Number of days that a ranking covers. Each creator has one rollup row per day, and adding up the rows of
 * more days would take too long for a request.
 */
const rankingDays = { defaultDays: 28, maxDays: 92 };
/**
 * Minimum number of rollup rows for a ranking to be cached. Adding up fewer rows takes only tens of
 * milliseconds.
 */
const heavyRanking = 20_000;
/**
 * Minimum number of balances for a due list to be cached. Reading fewer balances takes only tens of
 * milliseconds.
 */
const heavyDue = 2_000;
const maxCachedAnswers = 100;

export function overviewRoutes(app: App, service: Service): void {
  sumRoutes(app, service);
  currentRoutes(app, service);
}

function sumRoutes(app: App, service: Service): void {
  const {
    database: { db, reports },
    clock,
  } = service;
  const { operation } = adminOperations(app, 'Overview');
  const rankings = new AnswerCache<RankedCreator[]>(heavyRanking, maxCachedAnswers);
  const querystring = Type.Object(daysQuery);
  operation(
    ['get', '/publishers/:publisherId/overview', 'getOverview'],
    {
      may: 'read',
      summary: 'Compare a period with an earlier one',
      description:
        'Sums by currency, as of the last posting. The default is 28 days including today, and the maximum is 366 days. The comparison leaves out today, which is not over.',
      query: comparedQuery,
      answer: overview,
    },
    async ({ params: { publisherId }, query }) => {
      const now = await nowAt(db, clock, publisherId);
      const days = readUtcDays(query, { now, ...sumDays });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const compared = comparableDays(days, { comparison: query.compare, now });
      const totalsOf = async (some: UtcDays | undefined): Promise<ReadonlyMap<string, Sums>> =>
        some === undefined ? new Map() : readTotals(reports, { publisherId, groupIds, days: some });
      const all = totalsOf(days);
      const [sums, finished, before] = await Promise.all([
        all,
        compared?.days.until === days.until ? all : totalsOf(compared?.days),
        totalsOf(compared?.before),
      ]);
      const currencies = [...new Set([...sums.keys(), ...before.keys()])].sort();
      const sumsOf = (totals: ReadonlyMap<string, Sums>, currency: string) =>
        toSums(totals.get(currency) ?? zeroSums);
      return {
        period: days,
        compared,
        currencies: currencies.map((currency) => ({
          currency,
          now: sumsOf(sums, currency),
          finished: sumsOf(finished, currency),
          before: sumsOf(before, currency),
        })),
      };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/changes', 'getChanges'],
    {
      may: 'read',
      summary: 'Count what changed since a day',
      description:
        'Counts the creators who joined and the payouts that were created or marked as paid since the start of a UTC day, up to 366 days ago. Sums of purchases are in the overview.',
      query: { ...groupQuery, from: daysQuery.from },
      answer: changes,
    },
    async ({ params: { publisherId }, query: { group: groupId = null, from } }) => {
      const days = readUtcDays({ from }, { now: await nowAt(db, clock, publisherId), ...sumDays });
      const groupIds = await groupsOf(db, { publisherId, groupId });
      const since = await serviceTimeOf(db, publisherId, new Date(days.from));
      const [joinedCreators, { created, paid }] = await Promise.all([
        countJoined(db, { publisherId, groupIds, since }),
        countPayouts(db, { publisherId, groupIds, since }),
      ]);
      return {
        from: days.from,
        joinedCreators,
        createdPayouts: Math.min(created, maxCounted),
        paidPayouts: Math.min(paid, maxCounted),
      };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/rollups', 'listRollups'],
    {
      may: 'read',
      summary: 'List sums by day',
      description:
        'Sums by UTC day and currency, for charts. The default is 28 days including today, and the maximum is 366 days.',
      query: querystring.properties,
      answer: rollups,
    },
    async ({ params: { publisherId }, query }) => {
      const days = readUtcDays(query, { now: await nowAt(db, clock, publisherId), ...sumDays });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const found = await readDailyTotals(reports, { publisherId, groupIds, days });
      return {
        period: days,
        days: found.map(({ day, currency, ...sums }) => ({ day, currency, ...toSums(sums) })),
      };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/top-creators', 'listTopCreators'],
    {
      may: 'read',
      summary: 'List the creators with the highest shares',
      description:
        'Five creators for each currency. The default is 28 days including today, and the maximum is 92 days. With thousands of creators, the response can be up to 30 seconds old.',
      query: querystring.properties,
      answer: topCreators,
    },
    async ({ params: { publisherId }, query }) => {
      const days = readUtcDays(query, { now: await nowAt(db, clock, publisherId), ...rankingDays });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const found = await rankings.get([publisherId, groupIds, days], () =>
        rankCreators(reports, { publisherId, groupIds, days }),
      );
      return {
        period: days,
        rows: found.map(({ memberId, name, currency, rowCount, grossMinor, shareMinor }) => ({
          creator: { memberId, name },
          currency,
          rowCount: String(rowCount),
          grossMinor,
          shareMinor,
        })),
      };
    },
  );
  risingRoute(app, service);
}

/** Number of days, including today, for which a creator counts as new after the first purchase. */
const newDays = 7;

function risingRoute(app: App, { database: { db, reports }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Overview');
  const rankings = new AnswerCache<RisingCreator[]>(heavyRanking, maxCachedAnswers);
  operation(
    ['get', '/publishers/:publisherId/rising-creators', 'listRisingCreators'],
    {
      may: 'read',
      summary: 'List the creators who gained the most places',
      description:
        'The five creators who climbed furthest in the ranking by earnings in one currency. A creator without earnings in the earlier period ranks below all others. Such creators take at most two of the five places, unless fewer than three others climbed. The default is 28 days including today, and the maximum is 92 days. With thousands of creators, the response can be up to 30 seconds old.',
      query: { ...comparedQuery, currency: currencyCode('Currency of the earnings.') },
      answer: risingCreators,
    },
    async ({ params: { publisherId }, query }) => {
      const now = await nowAt(db, clock, publisherId);
      const days = readUtcDays(query, { now, ...rankingDays });
      const before = comparedWith(days, query.compare);
      const newSince = firstDayOf(newDays, now);
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const rows = await rankings.get([publisherId, groupIds, days, before, query.currency, newSince], () =>
        findRisingCreators(reports, {
          publisherId,
          groupIds,
          days,
          before,
          currency: query.currency,
          newSince,
        }),
      );
      return {
        period: days,
        before,
        rows: rows.map(({ memberId, name, ...row }) => ({ creator: { memberId, name }, ...row })),
      };
    },
  );
}

function currentRoutes(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Overview');
  const readTail = createTail(db);
  const dues = new AnswerCache<Attention['due']>(heavyDue, maxCachedAnswers);
  operation(
    ['get', '/publishers/:publisherId/attention', 'getAttention'],
    {
      may: 'read',
      summary: 'List the items that need attention',
      description: 'Failing endpoints, unposted purchases, payouts and applicants.',
      query: groupQuery,
      answer: attention,
    },
    async ({ params: { publisherId }, query }) => {
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const found = await findAttention(
        { db, dues },
        {
          publisherId,
          groupIds,
          now: clock.now(),
          aheadMs: await readAheadMs(db, publisherId),
        },
      );
      return found;
    },
  );
  operation(
    ['get', '/publishers/:publisherId/tail', 'getTail'],
    {
      may: 'read',
      summary: 'List the most recently recorded rows',
      description:
        'Newest first. With `after`, lists the rows recorded after that row and in the ten seconds before it. Use the ids to drop the rows that you already have. At high rates, the response can be up to half a second old.',
      query: {
        ...groupQuery,
        after: Type.Optional(
          Type.String({ format: 'uuid', description: 'attributionId of the newest row you have.' }),
        ),
      },
      answer: tail,
    },
    async (request) => {
      const { publisherId } = request.params;
      const { group, after } = request.query;
      if (group !== undefined) await groupsOf(db, { publisherId, groupId: group });
      const isMasked = !may(staffOf(request), 'unmasked');
      const rows = await readTail({
        publisherId,
        groupId: group ?? null,
        after: after === undefined ? null : toAttributionId(after),
      });
      return {
        rows: rows.map((credited) => ({
          row: toTransactionRow(credited, isMasked),
          recordedAt: timeOfRowId(credited.row.attributionId).toISOString(),
        })),
      };
    },
  );
}
