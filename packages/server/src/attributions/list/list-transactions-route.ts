import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MemberFilter } from '../../members/read/find-memberships.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
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
  transactionsPath,
  transactionTags,
} from '../transaction-schema.ts';
import { listTransactions } from './list-transactions.ts';

const pageOfRecords = Type.Array(transactionRecord, {
  headers: {
    'X-Next-Cursor': { type: 'string', description: 'Cursor of the next page. Absent on the last page.' },
    Link: { type: 'string', description: 'Link to the next page (RFC 8288). Absent on the last page.' },
    'X-Total-Count': {
      type: 'integer',
      description: 'Total number of matching transactions. Only with `page`.',
    },
  },
});

const memberParameter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: storable, description }));
const precedence =
  'If several of `playerId`, `memberId`, `providerId`, and `code` are sent, only the first in this order is used.';

const listQuery = Type.Object({
  groupId: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Id of the creator group, or `*` for all groups. Defaults to your default group. A key scoped to one group always uses that group and ignores this parameter.',
    }),
  ),
  include,
  updatedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        "Returns only transactions created or changed at or after this time, earliest change first, with their meta fields. Can't be combined with `page` or `sort`.",
    }),
  ),
  transactionId: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: plain }), {
      ...wholeToo,
      maxItems: 100,
      description:
        'Returns only transactions with these ids. Up to 100 values, as a repeated parameter or separated by commas.',
    }),
  ),
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 500,
      description: 'Maximum number of transactions per page.',
    }),
  ),
  cursor: Type.Optional(text(200, 'Cursor from the `X-Next-Cursor` header of the previous page.')),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 9_999,
      description: 'Page number. Switches to offset pagination and disables `cursor`.',
    }),
  ),
  startDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'Earliest `transactionDate`, inclusive.' }),
  ),
  endDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'Latest `transactionDate`, inclusive.' }),
  ),
  origin: Type.Optional(
    Type.Array(Type.String({ enum: [...origins] }), {
      description:
        'Returns only transactions from these sources. One or more values, as a repeated parameter or separated by commas.',
    }),
  ),
  status: Type.Optional(
    Type.Array(Type.String({ enum: statuses.map((status) => status.toLowerCase()) }), {
      'x-case-insensitive': true,
      description:
        'Returns only transactions with these statuses. One or more values, as a repeated parameter or separated by commas. Case-insensitive.',
    }),
  ),
  hasRefund: Type.Optional(
    Type.Boolean({
      description:
        "`true` returns only transactions that were refunded, marked as fraud or charged back, in part or in full; `false` returns the others. Can't be combined with `page`.",
    }),
  ),
  code: memberParameter(
    `Creator code of the member, or of the transactions (see \`codeScope\`). ${precedence}`,
  ),
  codeScope: Type.Optional(
    Type.String({
      enum: ['member', 'code'],
      default: 'member',
      description:
        '`member` returns all transactions of the member with this code; `code` returns only transactions recorded with exactly this code.',
    }),
  ),
  memberId: memberParameter(`Account id of the member. ${precedence}`),
  playerId: memberParameter(`Your id for the member, not for the buyer. ${precedence}`),
  providerId: memberParameter(`Id of the member at any identity provider. ${precedence}`),
  sort: Type.Optional(
    Type.String({
      enum: ['transactionDate:asc', 'transactionDate:desc'],
      default: 'transactionDate:desc',
      description: 'Sort order. `desc` returns the newest transactions first.',
    }),
  ),
});

/** Registers operation 3 of the contract. */
export function listTransactionsRoute(
  app: App,
  { db, lists, pages }: { db: Db; lists: Db; pages: Pages },
): void {
  operation(
    app,
    ['get', transactionsPath, 'listTransactions'],
    {
      config: { key: 'secret', group: 'as read', allowsAllGroups: true, defaultPageSize: 500 },
      summary: 'List transactions',
      description:
        'Returns a page of transactions, newest first by default. The `X-Next-Cursor` and `Link` headers point to the next page and are absent on the last page. With `page`, the `X-Total-Count` header is returned instead. ' +
        'If several of `playerId`, `memberId`, `providerId`, and `code` are sent, only the first in this order is used. ' +
        'With `updatedSince`, a page can be short or even empty even though more transactions follow. Continue until `X-Next-Cursor` is absent.',
      tags: transactionTags,
      query: listQuery.properties,
      answer: pageOfRecords,
      errors: {
        400: errorBody(
          'InvalidGroup, InvalidStatus, InvalidOrigin, InvalidSort, InvalidDate, InvalidCodeScope, InvalidCursor, InvalidPage, InvalidPageSize or InvalidInput.',
        ),
        404: errorBody('MemberNotFound: no member of the group matches the member filter.'),
        ...secretErrors,
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
        currency: null,
        member: memberFilter(query),
        exactCode: query.codeScope === 'code',
        transactionIds: query.transactionId ?? [],
        hasRefund: query.hasRefund ?? null,
        direction: query.sort === 'transactionDate:asc' ? ('asc' as const) : ('desc' as const),
        pageSize: query.pageSize ?? 500,
      };
      if (query.hasRefund !== undefined && query.page !== undefined)
        throw new Refusal('InvalidPage', "hasRefund can't be combined with page. Use cursor instead.");
      const updatedSince = asDate(query.updatedSince);
      if (updatedSince !== null) {
        rejectWithChanges(query);
        const page = await listChanges(db, pages, { ...listing, updatedSince }, query.cursor ?? null);
        sendCursor(request, reply, page.nextCursor);
        return page.rows.map(toRecordWithMeta);
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
      if (query.include === undefined) return rows.map(toTransactionRecord);
      const described = await withMeta(lists, listing.publisherId, rows);
      return described.map(toRecordWithMeta);
    },
  );
}

function sendCursor(request: FastifyRequest, reply: FastifyReply, nextCursor: string | null): void {
  if (nextCursor === null) return;
  reply.header('x-next-cursor', nextCursor);
  reply.header('link', `<${withCursor(request.url, nextCursor)}>; rel="next"`);
}

/**
 * Rejects parameters that can't be combined with `updatedSince`.
 * @throws Refusal InvalidPage, InvalidSort
 */
function rejectWithChanges({ page, sort }: Static<typeof listQuery>): void {
  if (page !== undefined)
    throw new Refusal('InvalidPage', "updatedSince can't be combined with page. Use cursor instead.");
  if (sort !== undefined)
    throw new Refusal(
      'InvalidSort',
      "updatedSince can't be combined with sort, because updatedSince always returns the earliest change first. Remove sort.",
    );
}

/**
 * Returns the member filter with the highest precedence, as the contract defines it: playerId, memberId,
 * providerId, code.
 */
function memberFilter(query: Static<typeof listQuery>): MemberFilter | null {
  for (const by of ['playerId', 'memberId', 'providerId', 'code'] as const) {
    const value = query[by];
    if (value !== undefined) return { by, value };
  }
  return null;
}

const asStatus = (text: string): TransactionStatus =>
  statuses.find((status) => status.toLowerCase() === text) ?? 'Normal';

function asDate(text: string | undefined): Date | null {
  const ms = text === undefined ? null : parseTimestamp(text);
  return ms === null ? null : new Date(ms);
}

/** Returns the request's URL, relative to the server, with the cursor for the next page. */
function withCursor(url: string, cursor: string): string {
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  return next.pathname + next.search;
}
