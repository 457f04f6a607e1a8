import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import { warn } from '../../platform/http/answers/warnings.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pairs } from '../../platform/http/bodies/parse-pairs.ts';
import { earlierWorkOf } from '../../platform/http/direct/earlier-work.ts';
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
import { type CreatorGroup, type Programs, requireProgram } from '../../publishers/programs.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { type AttributionRow, toTransactionRecord } from '../attribution-row.ts';
import {
  createBody,
  maxEntries,
  type TransactionEntry,
  transactionRecord,
  transactionRecords,
  transactionsPath,
  transactionTags,
} from '../transaction-schema.ts';
import { attachSentCodes, requireAttachable } from './attach-sent-codes.ts';
import { checkEntries, mistakesOf } from './check-entries.ts';
import { findRepeat } from './find-repeat.ts';
import { type Purchase, readEntry } from './read-entry.ts';
import type { RecordQueue } from './record-queue.ts';
import { refuseAll } from './refuse-entry.ts';
import { withPlayerCodes } from './with-player-codes.ts';

const createQuery = Type.Object({
  groupId,
  useLDCurrency: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'If `false`, amounts are in major units, such as 12.34 USD, and are converted to minor units.',
    }),
  ),
  attach: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'If `true`, the sent codes also become the codes of their players (`playerId`) from `transactionDate` on, as with `PUT /v1/attributions/players/{playerId}/code`.',
    }),
  ),
  repeat: Type.Optional(
    Type.String({
      enum: ['return'],
      description:
        'If `return`, resending a saved request with the same content returns the saved transactions with status 200 instead of 409. The `Idempotency-Key` header has the same effect.',
    }),
  ),
});

const createHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'Any value has the same effect as `repeat=return`. The value itself is ignored, because the `transactionId` is the idempotency key.',
    }),
  ),
});

const createdTransactions = Type.Union([transactionRecord, transactionRecords], {
  description: 'The created transaction, or a list of transactions if the request body was a list.',
  headers: {
    'X-Idempotent-Replay': {
      type: 'string',
      enum: ['true'],
      description: 'The transactions were saved by an earlier request with the same content.',
    },
  },
});

export interface CreateDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
  recordQueue: RecordQueue;
}

/** Registers operation 2 of the contract. */
export function createTransactionsRoute(app: App, { db, clock, programs, recordQueue }: CreateDeps): void {
  const readAttaching = async (
    { principal: { publisherId }, group }: Pick<FastifyRequest, 'principal'> & { group: CreatorGroup },
    purchases: readonly Purchase[],
  ) => {
    const program = await requireProgram(programs, publisherId);
    const now = await nowAt(db, clock, publisherId);
    return { program, group: program.groups.get(group.groupId) ?? group, purchases, now };
  };
  // Not declared with `operation`, because this route validates its own body for speed.
  app.post(
    transactionsPath,
    {
      config: {
        key: 'secret',
        group: 'as create',
        sentCode: ({ body }, path) => codeSent(body, path),
        badRequestForm: 'message',
        refusals: { Conflict: { form: 'status-text' } },
      },
      // The body is checked in `preValidation`, where the units of its amounts are known. Headers are always
      // valid.
      validatorCompiler: (route) =>
        route.httpPart === 'body' || route.httpPart === 'headers' ? () => true : validatorCompiler(route),
      // A full queue rejects the request first, because checking a long list takes longer than rejecting the
      // request.
      preValidation: (request, _reply, done) => {
        const { body, raw } = request;
        const rows = Array.isArray(body) ? Math.min(body.length, maxEntries) : 1;
        const isPerformed = earlierWorkOf(raw)?.performed != null;
        const refusal = isPerformed ? null : recordQueue.refusal(request.principal.publisherId, rows);
        done(refusal ?? checkEntries(body, isLowest(request.query as Pairs)) ?? undefined);
      },
      schema: {
        operationId: 'createTransactions',
        summary: 'Create transactions',
        description:
          'Records a purchase, or a list of purchases in a single commit, which saves either all of them or none. The response is sent after the commit. ' +
          'After a 503 or a lost connection, the purchase may have been saved. Get the purchase before you resend it, or resend it and treat a 409 as success.',
        tags: transactionTags,
        querystring: createQuery,
        headers: createHeaders,
        body: createBody,
        response: {
          200: createdTransactions,
          400: messageBody(
            "Invalid input, an unknown code, or a disabled currency. Plain text if the groupId doesn't match a creator group.",
          ),
          409: {
            ...textBody(
              'A transactionId in this request was already saved by an earlier request. This request was not saved.',
            ),
            headers: {
              'X-Conflict': {
                type: 'string',
                enum: ['same-content', 'different-content'],
                description: 'Whether the saved transactions have the same content as this request.',
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
      const { useLDCurrency = true, attach = false } = request.query;
      const body = request.body as TransactionEntry | TransactionEntry[];
      const isList = Array.isArray(body);
      const { groupId } = request.group;
      const sent = await inPieces(publisherId, [body].flat(), (entry, index) =>
        readEntry(entry, isList ? [index] : [], useLDCurrency),
      ).catch((error) => {
        throw error instanceof Refusal ? refuseAll(mistakesOf(body, useLDCurrency)) : error;
      });
      const place = (index: number, name: string) => (isList ? [index, name] : [name]);
      const purchases = await withPlayerCodes(db, { publisherId, groupId }, sent, place);
      const attaching = attach ? await readAttaching(request, purchases) : null;
      if (attaching !== null) await requireAttachable(db, attaching, place);
      // Codes are attached after the commit of the purchases and before the response, so sending a request again after a lost
      // response attaches what is missing.
      const attachAll = async () => {
        if (attaching !== null && !(await attachSentCodes(db, attaching))) warn(reply, 'code-not-attached');
      };
      const performed = earlierWorkOf(request.raw)?.performed?.outcome as
        | Promise<AttributionRow[]>
        | undefined;
      const recording = performed ?? recordQueue.record(publisherId, groupId, purchases);
      const rows = await recording.catch(async (error) => {
        if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
        const saved = await findRepeat(db, { publisherId, groupId, purchases });
        if (saved !== null) await attachAll();
        if (saved !== null && requestsReplay(request)) {
          reply.header('x-idempotent-replay', 'true');
          return saved;
        }
        reply.header('x-conflict', saved === null ? 'different-content' : 'same-content');
        throw error;
      });
      if (!reply.hasHeader('x-idempotent-replay')) await attachAll();
      const created = rows.map((row) => toTransactionRecord(row));
      return sendJson(
        reply,
        (isList ? created : created[0]) satisfies Static<typeof createdTransactions> | undefined,
      );
    },
  );
}

/** Returns the code sent in the rejected entry; null if that entry can't be determined. */
function codeSent(body: unknown, path: InputPath | null): unknown {
  const entries: unknown[] = [body].flat();
  const [index] = path ?? [];
  const refused = entries[typeof index === 'number' ? index : entries.length === 1 ? 0 : -1];
  return typeof refused === 'object' && refused !== null && 'code' in refused ? refused.code : null;
}

/**
 * Reads `useLDCurrency` before the query is validated, because the body is checked first and the check needs
 * the value.
 */
const isLowest = ({ useLDCurrency }: Pairs): boolean =>
  useLDCurrency !== 'false' && useLDCurrency !== 'False';

const requestsReplay = ({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): boolean =>
  headers['idempotency-key'] !== undefined || (query as { repeat?: string }).repeat === 'return';
