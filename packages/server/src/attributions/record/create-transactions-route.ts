import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pairs } from '../../platform/http/bodies/parse-pairs.ts';
import {
  bodyErrors,
  groupId,
  messageBody,
  secretErrors,
  textBody,
} from '../../platform/http/schemas/schemas.ts';
import { validatorCompiler } from '../../platform/http/schemas/validator-compiler.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';
import { inPieces } from '../../platform/work/in-pieces.ts';
import { toTransactionRecord } from '../attribution-row.ts';
import {
  createBody,
  maxEntries,
  type TransactionEntry,
  transactionRecord,
  transactionRecords,
  transactionTags,
} from '../transaction-schema.ts';
import { checkEntries, mistakesOf } from './check-entries.ts';
import { findRepeat } from './find-repeat.ts';
import { readEntry } from './read-entry.ts';
import type { RecordQueue } from './record-queue.ts';
import { refuseAll } from './refuse-entry.ts';

const createQuery = Type.Object({
  groupId,
  useLDCurrency: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: amounts are in major units (12.34 USD) and are converted to minor units.',
    }),
  ),
  repeat: Type.Optional(
    Type.String({
      enum: ['return'],
      description:
        'return: a request that was sent before with the same content is answered 200 with the rows that are saved. The header Idempotency-Key does the same.',
    }),
  ),
});

const createHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ description: 'Whatever it says, it asks for repeat=return: transactionId is the key.' }),
  ),
});

/** Operation 2 of the contract. */
export function createTransactionsRoute(
  app: App,
  { db, recordQueue }: { db: Db; recordQueue: RecordQueue },
): void {
  app.post(
    '/v1/attributions/transactions',
    {
      config: {
        key: 'secret',
        group: 'as create',
        sentCode: ({ body }, path) => codeSent(body, path),
        badRequestForm: 'message',
        refusals: { Conflict: { form: 'status-text' } },
      },
      // The body is checked below, where its amounts' units are known; a header can say nothing wrong.
      validatorCompiler: (route) =>
        route.httpPart === 'body' || route.httpPart === 'headers' ? () => true : validatorCompiler(route),
      // What would be refused is not checked first: looking at a long list takes longer than refusing it.
      preValidation: (request, _reply, done) => {
        const { body } = request;
        const rows = Array.isArray(body) ? Math.min(body.length, maxEntries) : 1;
        const refusal = recordQueue.refusal(request.principal.publisherId, rows);
        done(refusal ?? checkEntries(body, isLowest(request.query as Pairs)) ?? undefined);
      },
      schema: {
        operationId: 'createTransactions',
        summary: 'Create transactions',
        description:
          'Saves one purchase, or a list of them in one commit: all or none. Answers after the commit. ' +
          'After a 503 or a lost connection the purchase may be saved: GET it before sending it again, or send it again and read 409 as saved.',
        tags: transactionTags,
        querystring: createQuery,
        headers: createHeaders,
        body: createBody,
        response: {
          200: Type.Union([transactionRecord, transactionRecords], {
            description: 'One record for one, a list for a list.',
            headers: {
              'X-Idempotent-Replay': {
                type: 'string',
                enum: ['true'],
                description: 'The rows were saved by an earlier request with the same content.',
              },
            },
          }),
          400: messageBody(
            'Invalid input, unknown code, disabled currency; plain text for a groupId that does not resolve.',
          ),
          409: {
            ...textBody('A transactionId was saved by an earlier call; nothing was saved by this one.'),
            headers: {
              'X-Conflict': {
                type: 'string',
                enum: ['same-content', 'different-content'],
                description: 'Whether what is saved is what this request says.',
              },
            },
          },
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.principal;
      const { useLDCurrency = true } = request.query;
      const body = request.body as TransactionEntry | TransactionEntry[];
      const isList = Array.isArray(body);
      const { groupId } = request.group;
      const purchases = await inPieces(publisherId, [body].flat(), (entry, index) =>
        readEntry(entry, isList ? [index] : [], useLDCurrency),
      ).catch((error) => {
        throw error instanceof Refusal ? refuseAll(mistakesOf(body, useLDCurrency)) : error;
      });
      const rows = await recordQueue.record(publisherId, groupId, purchases).catch(async (error) => {
        if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
        const saved = await findRepeat(db, { publisherId, groupId, purchases });
        if (saved !== null && asksForRepeat(request)) {
          reply.header('x-idempotent-replay', 'true');
          return saved;
        }
        reply.header('x-conflict', saved === null ? 'different-content' : 'same-content');
        throw error;
      });
      const created = rows.map((row) => toTransactionRecord(row));
      return sendJson(reply, isList ? created : created[0]);
    },
  );
}

/** @returns the code of the entry that was refused; null where that may be any of a list */
function codeSent(body: unknown, path: InputPath | null): unknown {
  const entries: unknown[] = [body].flat();
  const [index] = path ?? [];
  const refused = entries[typeof index === 'number' ? index : entries.length === 1 ? 0 : -1];
  return typeof refused === 'object' && refused !== null && 'code' in refused ? refused.code : null;
}

/** Reads `useLDCurrency` of a query that is not checked yet; what is neither is refused after the body. */
const isLowest = ({ useLDCurrency }: Pairs): boolean =>
  useLDCurrency !== 'false' && useLDCurrency !== 'False';

const asksForRepeat = ({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): boolean =>
  headers['idempotency-key'] !== undefined || (query as { repeat?: string }).repeat === 'return';
