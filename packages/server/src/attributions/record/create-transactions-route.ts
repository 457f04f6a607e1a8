import { Type } from 'typebox';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import {
  bodyErrors,
  groupId,
  messageBody,
  secretErrors,
  textBody,
} from '../../platform/http/schemas/schemas.ts';
import { checkValue } from '../../platform/http/schemas/validation.ts';
import { validatorCompiler } from '../../platform/http/schemas/validator-compiler.ts';
import type { InputPath } from '../../platform/refusal.ts';
import { inPieces } from '../../platform/work/in-pieces.ts';
import { toTransactionRecord } from '../attribution-row.ts';
import {
  createBody,
  maxEntries,
  type TransactionEntry,
  transactionEntries,
  transactionEntry,
  transactionRecord,
  transactionRecords,
  transactionTags,
} from '../transaction-schema.ts';
import { readEntry } from './read-entry.ts';
import type { RecordQueue } from './record-queue.ts';

const createQuery = Type.Object({
  groupId,
  useLDCurrency: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: amounts are in major units (12.34 USD) and are converted to minor units.',
    }),
  ),
});

/** Operation 2 of the contract. */
export function createTransactionsRoute(app: App, { recordQueue }: { recordQueue: RecordQueue }): void {
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
        tags: transactionTags,
        querystring: createQuery,
        body: createBody,
        response: {
          200: Type.Union([transactionRecord, transactionRecords], {
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
      const body = request.body as TransactionEntry | TransactionEntry[];
      const isList = Array.isArray(body);
      const purchases = await inPieces(publisherId, [body].flat(), (entry, index) =>
        readEntry(entry, isList ? [index] : [], useLDCurrency),
      );
      const rows = await recordQueue.record(publisherId, request.group.groupId, purchases);
      const created = rows.map(toTransactionRecord);
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

const checkEntries = (body: unknown) =>
  checkValue(Array.isArray(body) ? transactionEntries : transactionEntry, body);
