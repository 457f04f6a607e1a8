import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MemberFilter } from '../../members/read/find-memberships.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { wholeToo } from '../../platform/http/schemas/read-query.ts';
import { errorBody, plain, secretErrors, storable, text } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import { toTransactionRecord } from '../attribution-row.ts';
import { listChanges } from '../changes/list-changes.ts';
import { toRecordWithMeta, withMeta } from '../row-meta.ts';
import {
  include,
  type Origin,
  origins,
  statuses,
  type TransactionStatus,
  transactionRecord,
  transactionTags,
} from '../transaction-schema.ts';
import { listTransactions } from './list-transactions.ts';

const pageOfRecords = Type.Array(transactionRecord, {
  headers: {
    'X-Next-Cursor': { type: 'string', description: 'Cursor of the next page; absent on the last.' },
    Link: { type: 'string', description: 'RFC 8288 link to the next page; absent on the last.' },
    'X-Total-Count': { type: 'integer', description: 'All rows of the listing; with page only.' },
  },
});

const memberName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: storable, description }));
const ignored = 'One of playerId, memberId, providerId and code is used, the first sent in this order.';

const listQuery = Type.Object({
  groupId: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        "Creator group to use; * for all of them. A key scoped to one group always uses that group, whatever is sent; without it the publisher's default group is used.",
    }),
  ),
  include,
  updatedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Rows that were recorded or changed since, inclusive, the earliest change first, each as with include=meta. Not with page or sort.',
    }),
  ),
  transactionId: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: plain }), {
      ...wholeToo,
      maxItems: 100,
      description: 'Rows of these purchases: up to 100, repeated or with commas.',
    }),
  ),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 500, description: 'Rows of a page.' }),
  ),
  cursor: Type.Optional(text(200, 'X-Next-Cursor of the page before.')),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9_999, description: 'Switches to offset pages; wins over cursor.' }),
  ),
  startDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'Earliest transactionDate, inclusive.' }),
  ),
  endDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'Latest transactionDate, inclusive.' }),
  ),
  origin: Type.Optional(
    Type.Array(Type.String({ enum: [...origins] }), {
      description: 'Where the rows came from: one or more, repeated or with commas.',
    }),
  ),
  status: Type.Optional(
    Type.Array(Type.String({ enum: statuses.map((status) => status.toLowerCase()) }), {
      'x-case-insensitive': true,
      description: 'One or more, repeated or with commas, in any case; all when absent.',
    }),
  ),
  code: memberName(`A creator code of the member, or of the rows (codeScope). ${ignored}`),
  codeScope: Type.Optional(
    Type.String({
      enum: ['member', 'code'],
      default: 'member',
      description: 'member: all rows of the member whose code it is; code: those with exactly this code.',
    }),
  ),
  memberId: memberName(`The member's account id. ${ignored}`),
  playerId: memberName(`The publisher's id of the member, not of the buyer. ${ignored}`),
  providerId: memberName(`The member's id at an identity provider, whichever. ${ignored}`),
  sort: Type.Optional(
    Type.String({
      enum: ['transactionDate:asc', 'transactionDate:desc'],
      default: 'transactionDate:desc',
      description: 'By what, and which first: desc is the newest.',
    }),
  ),
});

/** Operation 3 of the contract. */
export function listTransactionsRoute(
  app: App,
  { db, lists, pages }: { db: Db; lists: Db; pages: Pages },
): void {
  app.get(
    '/v1/attributions/transactions',
    {
      config: { key: 'secret', group: 'as read', mayAskAllGroups: true, defaultPageSize: 500 },
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description:
          'Newest first unless sorted otherwise. The next page is in the headers X-Next-Cursor and Link, both absent on the last page; offset pages (page) carry X-Total-Count instead. ' +
          'Of playerId, memberId, providerId and code the first one sent, in this order, is used. ' +
          'With updatedSince a page may be short, and even empty, while X-Next-Cursor says that more follow.',
        tags: transactionTags,
        querystring: listQuery,
        response: {
          200: pageOfRecords,
          400: errorBody(
            'InvalidGroup, InvalidStatus, InvalidOrigin, InvalidSort, InvalidDate, InvalidCodeScope, InvalidCursor, InvalidPage, InvalidPageSize or InvalidInput.',
          ),
          404: errorBody('MemberNotFound: the member filter names no member of the group.'),
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const listing = {
        publisherId: request.principal.publisherId,
        groupIds: request.groupOrAll === null ? null : [request.groupOrAll.groupId],
        startDate: asDate(query.startDate),
        endDate: asDate(query.endDate),
        origins: (query.origin ?? []) as Origin[],
        statuses: (query.status ?? []).map(asStatus),
        member: memberFilter(query),
        exactCode: query.codeScope === 'code',
        transactionIds: query.transactionId ?? [],
        direction: query.sort === 'transactionDate:asc' ? ('asc' as const) : ('desc' as const),
        pageSize: query.pageSize ?? 500,
      };
      const updatedSince = asDate(query.updatedSince);
      if (updatedSince !== null) {
        refuseWithChanges(query);
        const page = await listChanges(db, pages, { ...listing, updatedSince }, query.cursor ?? null);
        sendCursor(request, reply, page.nextCursor);
        return sendJson(reply, page.rows.map(toRecordWithMeta));
      }
      const { rows, nextCursor, totalCount } = await listTransactions(
        lists,
        pages,
        listing,
        query.page === undefined
          ? { kind: 'cursor', cursor: query.cursor ?? null }
          : { kind: 'number', page: query.page },
      );
      sendCursor(request, reply, nextCursor);
      if (totalCount !== null) reply.header('x-total-count', String(totalCount));
      if (query.include === undefined) return sendJson(reply, rows.map(toTransactionRecord));
      const described = await withMeta(lists, listing.publisherId, rows);
      return sendJson(reply, described.map(toRecordWithMeta));
    },
  );
}

function sendCursor(request: FastifyRequest, reply: FastifyReply, nextCursor: string | null): void {
  if (nextCursor === null) return;
  reply.header('x-next-cursor', nextCursor);
  reply.header('link', `<${withCursor(request.url, nextCursor)}>; rel="next"`);
}

/** @throws Refusal InvalidPage, InvalidSort for what changes are never listed by */
function refuseWithChanges({ page, sort }: Static<typeof listQuery>): void {
  if (page !== undefined) throw new Refusal('InvalidPage', 'updatedSince is read by cursor; leave page out.');
  if (sort !== undefined)
    throw new Refusal('InvalidSort', 'updatedSince lists the earliest change first; leave sort out.');
}

/** The contract's order of precedence: playerId, memberId, providerId, code. */
function memberFilter(query: Static<typeof listQuery>): MemberFilter | null {
  for (const by of ['playerId', 'memberId', 'providerId', 'code'] as const) {
    const value = query[by];
    if (value !== undefined) return { by, value };
  }
  return null;
}

const asStatus = (text: string): TransactionStatus =>
  statuses.find((status) => status.toLowerCase() === text) ?? 'Normal';

/** A timestamp that passed its schema. */
function asDate(text: string | undefined): Date | null {
  const ms = text === undefined ? null : parseTimestamp(text);
  return ms === null ? null : new Date(ms);
}

/** The request's own address with the next cursor, relative to the server. */
function withCursor(url: string, cursor: string): string {
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  return next.pathname + next.search;
}
