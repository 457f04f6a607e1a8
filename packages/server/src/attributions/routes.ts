import { type Static, Type } from 'typebox';
import type { MemberFilter } from '../members/find-memberships.ts';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  bodyErrors,
  errorBody,
  groupId,
  messageBody,
  secretErrors,
  storable,
  text,
  textBody,
} from '../platform/http/schemas/schemas.ts';
import { checkValue } from '../platform/http/schemas/validation.ts';
import { validatorCompiler } from '../platform/http/schemas/validator-compiler.ts';
import { inPieces } from '../platform/in-pieces.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { toTransactionRecord } from './attribution-row.ts';
import { getTransaction } from './get-transaction.ts';
import { listTransactions } from './list-transactions.ts';
import { readEntry } from './read-entry.ts';
import type { RecordQueue } from './record-queue.ts';
import {
  actions,
  createBody,
  maxEntries,
  type Origin,
  origins,
  statuses,
  type TransactionEntry,
  type TransactionStatus,
  transactionEntries,
  transactionEntry,
  transactionId,
  transactionRecord,
} from './transaction-schema.ts';
import { type ReversePayment, updateTransactions } from './update-transactions.ts';

export interface AttributionDeps {
  db: Db;
  recordQueue: RecordQueue;
  cursorSecret: Buffer;
  reversePayment: ReversePayment;
}

const tags = ['Transactions'];
const path = Type.Object({ transactionId });
const records = Type.Array(transactionRecord);
const pageOfRecords = Type.Array(transactionRecord, {
  headers: {
    'X-Next-Cursor': { type: 'string', description: 'Cursor of the next page; absent on the last.' },
    Link: { type: 'string', description: 'RFC 8288 link to the next page; absent on the last.' },
    'X-Total-Count': { type: 'integer', description: 'All rows of the listing; with page only.' },
  },
});

const createQuery = Type.Object({
  groupId,
  useLDCurrency: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: amounts are in major units (12.34 USD) and are converted to minor units.',
    }),
  ),
});

const memberName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: storable, description }));
const ignored = 'One of playerId, memberId, providerId and code is used, the first sent in this order.';

const listQuery = Type.Object({
  groupId,
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

const patchBody = Type.Object(
  {
    action: Type.Optional(Type.String({ enum: [...actions], description: 'The new status.' })),
    playerId: Type.Optional(text(255, "Overwrites the purchasing player's id.")),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'TransactionUpdate',
    description: 'What is to change: at least one of the two.',
  },
);

/** Operations 1 to 4 of the contract. */
export function attributionRoutes(app: App, deps: AttributionDeps): void {
  const { db, recordQueue, cursorSecret, reversePayment } = deps;

  app.get(
    '/v1/attributions/transactions/:transactionId',
    {
      config: { key: 'secret' },
      schema: {
        operationId: 'getTransaction',
        summary: 'Get transaction',
        description:
          'Every row that carries the transactionId, in creation order, across the publisher account.',
        tags,
        params: path,
        querystring: Type.Object({ groupId }),
        response: {
          200: records,
          400: errorBody('InvalidInput: the transactionId or a parameter cannot be one.'),
          404: errorBody('NotFound: no row has this transactionId.'),
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const rows = await getTransaction(db, request.principal.publisherId, request.params.transactionId);
      return sendJson(reply, rows.map(toTransactionRecord));
    },
  );

  app.post(
    '/v1/attributions/transactions',
    {
      config: {
        key: 'secret',
        group: 'as create',
        badRequestForm: 'message',
        refusals: { Conflict: { form: 'status-text' } },
      },
      // One of two schemas by the body's shape: a union would say only that neither fits.
      validatorCompiler: (route) => (route.httpPart === 'body' ? checkEntries : validatorCompiler(route)),
      // What would be refused is not checked first: looking at a long list takes longer than refusing it.
      preValidation: (request, _reply, done) => {
        const { length } = [request.body].flat();
        done(recordQueue.refusal(request.principal.publisherId, Math.min(length, maxEntries)) ?? undefined);
      },
      schema: {
        operationId: 'createTransactions',
        summary: 'Create transactions',
        description:
          'Saves one purchase, or a list of them in one commit: all or none. Answers after the commit. ' +
          'After a 503 or a lost connection the purchase may be saved: GET it before sending it again, or send it again and read 409 as saved.',
        tags,
        querystring: createQuery,
        body: createBody,
        response: {
          200: Type.Union([transactionRecord, records], {
            description: 'One record for one, a list for a list.',
          }),
          400: messageBody(
            'Invalid input, unknown code, disabled currency; plain text for a groupId that does not resolve.',
          ),
          409: textBody('A transactionId was saved by an earlier call; nothing was saved by this one.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.principal;
      const { useLDCurrency = true } = request.query;
      const { group } = request;
      const body = request.body as TransactionEntry | TransactionEntry[];
      const isList = Array.isArray(body);
      const purchases = await inPieces(publisherId, [body].flat(), (entry, index) =>
        readEntry(entry, isList ? `[${index}]` : '', useLDCurrency),
      );
      const rows = await recordQueue.record(publisherId, group.groupId, purchases);
      const created = rows.map(toTransactionRecord);
      return sendJson(reply, isList ? created : created[0]);
    },
  );

  app.get(
    '/v1/attributions/transactions',
    {
      config: { key: 'secret', group: 'as read', defaultPageSize: 500 },
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description:
          'Newest first unless sorted otherwise. The next page is in the headers X-Next-Cursor and Link, both absent on the last page; offset pages (page) carry X-Total-Count instead. ' +
          'Of playerId, memberId, providerId and code the first one sent, in this order, is used.',
        tags,
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
      const { publisherId } = request.principal;
      const { query } = request;
      const { group } = request;
      const listing = {
        publisherId,
        groupId: group.groupId,
        startDate: asDate(query.startDate),
        endDate: asDate(query.endDate),
        origins: (query.origin ?? []) as Origin[],
        statuses: (query.status ?? []).map(asStatus),
        member: memberFilter(query),
        exactCode: query.codeScope === 'code',
        direction: query.sort === 'transactionDate:asc' ? ('asc' as const) : ('desc' as const),
        pageSize: query.pageSize ?? 500,
      };
      const { rows, nextCursor, totalCount } = await listTransactions(
        db,
        cursorSecret,
        listing,
        query.page === undefined
          ? { kind: 'cursor', cursor: query.cursor ?? null }
          : { kind: 'number', page: query.page },
      );
      if (nextCursor !== null) {
        reply.header('x-next-cursor', nextCursor);
        reply.header('link', `<${withCursor(request.url, nextCursor)}>; rel="next"`);
      }
      if (totalCount !== null) reply.header('x-total-count', String(totalCount));
      return sendJson(reply, rows.map(toTransactionRecord));
    },
  );

  app.patch(
    '/v1/attributions/transactions/:transactionId',
    {
      config: { key: 'secret' },
      schema: {
        operationId: 'updateTransactions',
        summary: 'Update transactions by transactionId',
        description:
          'Every row of the purchase, in creation order, one commit each. A row already paid out stops the walk with 409; rows before it stay updated.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: path,
        querystring: Type.Object({ groupId }),
        body: patchBody,
        response: {
          200: records,
          400: errorBody('InvalidInput: neither property, another property, or a value that is not allowed.'),
          404: errorBody('NotFound: no row has this transactionId.'),
          409: errorBody('Conflict: a row was already paid out.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { action = null, playerId = null } = request.body;
      const rows = await updateTransactions(
        db,
        reversePayment,
        request.principal.publisherId,
        request.params.transactionId,
        { action: action as (typeof actions)[number] | null, playerId },
      );
      return sendJson(reply, rows.map(toTransactionRecord));
    },
  );
}

const checkEntries = (body: unknown) =>
  checkValue(Array.isArray(body) ? transactionEntries : transactionEntry, body);

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
