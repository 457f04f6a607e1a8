import { Type } from 'typebox';
import { transactionId, transactionTags } from '../../attributions/transaction-schema.ts';
import { statusOfRefusal } from '../../platform/http/answers/api-error.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyErrors, errorBody, secretErrors } from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import { Refusal, refusalCodes } from '../../platform/refusal.ts';
import { type RefundDeps, toRequest } from './refund-routes.ts';
import { newRefund, refund, toRefund } from './refund-schema.ts';

/** Maximum number of refunds in a request. Each has a commit of its own. */
const maxRefunds = 100;

const newRefundOf = Type.Object(
  { transactionId, ...newRefund.properties },
  {
    title: 'NewRefundOfTransaction',
    description: 'Refund of one of several transactions.',
    additionalProperties: false,
    ...nullIsAbsent,
  },
);

const outcome = Type.Object(
  {
    transactionId,
    refundId: newRefund.properties.refundId,
    refund: Type.Optional(refund),
    error: Type.Optional(
      Type.Object(
        {
          status: Type.Integer({ description: 'Status that the operation for a single refund returns.' }),
          code: Type.String({ enum: [...refusalCodes] }),
          message: Type.String(),
        },
        { title: 'RefundError', description: 'Reason for which the refund was not made.' },
      ),
    ),
  },
  { title: 'RefundOutcome', description: 'The refund, or the error; never both.' },
);

/** Registers the operation that refunds several transactions. */
export function refundSeveralRoute(
  app: App,
  { db, refundPurchase }: Pick<RefundDeps, 'db' | 'refundPurchase'>,
): void {
  operation(
    app,
    ['post', '/v1/attributions/refunds', 'refundTransactions'],
    {
      config: { key: 'secret' },
      summary: 'Refund several transactions',
      description:
        'Makes up to 100 refunds one after another, each in its own commit, and returns the outcome of each in the same order. One that fails doesn’t stop the others. After a 503 or a lost connection, repeat the request: refunds that were made are returned and change nothing.',
      tags: transactionTags,
      body: Type.Array(newRefundOf, { minItems: 1, maxItems: maxRefunds }),
      answer: Type.Array(outcome),
      errors: {
        400: errorBody('InvalidInput: the body is invalid. Nothing was refunded.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const outcomes = [];
      for (const { transactionId, ...sent } of request.body) {
        const { refundId } = sent;
        try {
          const made = await refundPurchase(
            db,
            request.actor,
            toRequest({ publisherId, transactionId }, sent),
          );
          outcomes.push({ transactionId, refundId, refund: toRefund(made) });
        } catch (error) {
          if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error;
          const { code, message } = error;
          outcomes.push({ transactionId, refundId, error: { status: statusOfRefusal(code), code, message } });
        }
      }
      return outcomes;
    },
  );
}
