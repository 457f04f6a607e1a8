import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timeOfRowId, toAttributionId } from '../../platform/ids.ts';
import { KeptAnswers } from '../../platform/kept-answers.ts';
import { nowAt, readAheadMs } from '../../publishers/publisher-time.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, groupQuery, publisherPath } from '../schemas.ts';
import { groupsOf } from '../transactions/staff-listing.ts';
import { toTransactionRow } from '../transactions/transaction-schemas.ts';
import { type Attention, findAttention } from './find-attention.ts';
import {
  attention,
  daysQuery,
  noSums,
  overview,
  rollups,
  tail,
  topCreators,
  toSums,
} from './overview-schemas.ts';
import { type RankedCreator, rankCreators } from './rank-creators.ts';
import { createTail } from './read-tail.ts';
import { readDays, readTotals } from './read-totals.ts';
import { daysBefore, readUtcDays } from './utc-days.ts';

const tags = ['Overview'];
const base = '/publishers/:publisherId';
const period = { usual: 28, most: 366 };
/** A creator has a sum for each day: of more days than that there are too many to add up while somebody waits. */
const ranked = { usual: 28, most: 92 };
/** Sums of members and days that are added up in some tens of milliseconds. */
const heavyRanking = 20_000;
/** The same of members' balances. */
const heavyDue = 2_000;
const answersKept = 100;

/** What the first screen shows. */
export function overviewRoutes(app: App, service: AdminService): void {
  sumRoutes(app, service);
  nowRoutes(app, service);
}

function sumRoutes(app: App, { database: { db, reports }, clock }: AdminService): void {
  const rankings = new KeptAnswers<RankedCreator[]>(heavyRanking, answersKept);
  const config = { staff: 'read' } as const;
  const querystring = Type.Object(daysQuery);
  app.get(
    `${base}/overview`,
    {
      config,
      schema: {
        operationId: 'getOverview',
        summary: 'A period against the one before',
        description:
          'Per currency, from sums that posting keeps; 28 days with today unless asked otherwise, 366 at most.',
        tags,
        params: publisherPath,
        querystring,
        response: { 200: overview, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const days = readUtcDays(query, { now: await nowAt(db, clock, publisherId), ...period });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const before = daysBefore(days);
      const [now, then] = await Promise.all([
        readTotals(reports, { publisherId, groupIds, days }),
        readTotals(reports, { publisherId, groupIds, days: before }),
      ]);
      const currencies = [...new Set([...now.keys(), ...then.keys()])].sort();
      return sendJson(reply, {
        period: days,
        before,
        currencies: currencies.map((currency) => ({
          currency,
          now: toSums(now.get(currency) ?? noSums),
          before: toSums(then.get(currency) ?? noSums),
        })),
      });
    },
  );
  app.get(
    `${base}/rollups`,
    {
      config,
      schema: {
        operationId: 'listRollups',
        summary: 'Sums day by day',
        description:
          'Per day of UTC and currency, for charts; 28 days with today unless asked otherwise, 366 at most.',
        tags,
        params: publisherPath,
        querystring,
        response: { 200: rollups, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const days = readUtcDays(query, { now: await nowAt(db, clock, publisherId), ...period });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const found = await readDays(reports, { publisherId, groupIds, days });
      return sendJson(reply, {
        period: days,
        days: found.map(({ day, currency, ...of }) => ({ day, currency, ...toSums(of) })),
      });
    },
  );
  app.get(
    `${base}/top-creators`,
    {
      config,
      schema: {
        operationId: 'listTopCreators',
        summary: 'Who earned the most',
        description:
          'Five of each currency; 28 days with today unless asked otherwise, 92 at most. Of thousands of creators it may be half a minute old.',
        tags,
        params: publisherPath,
        querystring,
        response: { 200: topCreators, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const days = readUtcDays(query, { now: await nowAt(db, clock, publisherId), ...ranked });
      const groupIds = await groupsOf(db, { publisherId, groupId: query.group ?? null });
      const found = await rankings.ask([publisherId, groupIds, days], () =>
        rankCreators(reports, { publisherId, groupIds, days }),
      );
      return sendJson(reply, {
        period: days,
        rows: found.map(({ memberId, name, currency, rowCount, grossMinor, shareMinor }) => ({
          creator: { memberId, name },
          currency,
          rowCount: String(rowCount),
          grossMinor: String(grossMinor),
          shareMinor: String(shareMinor),
        })),
      });
    },
  );
}

function nowRoutes(app: App, { database: { db }, clock }: AdminService): void {
  const readTail = createTail(db);
  const dues = new KeptAnswers<Attention['due']>(heavyDue, answersKept);
  const config = { staff: 'read' } as const;
  app.get(
    `${base}/attention`,
    {
      config,
      schema: {
        operationId: 'getAttention',
        summary: 'What somebody should look at',
        description: 'Failing endpoints, purchases that wait, payouts, applicants.',
        tags,
        params: publisherPath,
        querystring: Type.Object(groupQuery),
        response: { 200: attention, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
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
      return sendJson(reply, found);
    },
  );
  app.get(
    `${base}/tail`,
    {
      config,
      schema: {
        operationId: 'getTail',
        summary: 'What was recorded last',
        description:
          'The newest first. With `after`, what came since, and what was recorded in the ten seconds before that: drop what you know by its id. Where rows stream in it may be half a second old.',
        tags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          after: Type.Optional(
            Type.String({ format: 'uuid', description: 'attributionId of the newest row that is known.' }),
          ),
        }),
        response: { 200: tail, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { group, after } = request.query;
      if (group !== undefined) await groupsOf(db, { publisherId, groupId: group });
      const isMasked = !may(staffOf(request), 'unmasked');
      const rows = await readTail({
        publisherId,
        groupId: group ?? null,
        after: after === undefined ? null : toAttributionId(after),
      });
      return sendJson(reply, {
        rows: rows.map((credited) => ({
          row: toTransactionRow(credited, isMasked),
          recordedAt: timeOfRowId(credited.row.attributionId).toISOString(),
        })),
      });
    },
  );
}
