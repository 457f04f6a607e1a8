import { Type } from 'typebox';
import { type Action, actions, transactionId } from '../../attributions/transaction-schema.ts';
import { updateRowByRow } from '../../attributions/update-transactions.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { adminOperations } from '../admin-operations.ts';
import { rowOutcome } from './transaction-schemas.ts';

const reversal = Type.Object(
  {
    action: Type.String({ enum: [...actions], description: 'New status of every row.' }),
    reason: Type.Optional(text(2_000, 'Reason, for the audit log.')),
  },
  { title: 'Reversal', description: 'Reversal of a purchase.', additionalProperties: false },
);

const stoppedMessage =
  'A transaction of this purchase was already paid out. It and the ones after it weren’t changed. Claw it back on the Payouts screen.';

export function reverseRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Transactions');
  operation(
    ['post', '/publishers/:publisherId/transactions/:transactionId/reverse', 'reverseTransaction'],
    {
      may: 'reverse',
      summary: 'Reverse a purchase',
      description:
        'Reverses the rows in order of creation, each in its own commit. Stops at a row that was already paid out and returns 409 with the outcome of each row.',
      path: { transactionId },
      body: reversal,
      answer: Type.Object(
        { rows: Type.Array(rowOutcome) },
        { title: 'Reversed', description: 'Every row was reversed.' },
      ),
      otherAnswers: {
        409: Type.Object(
          { code: Type.String(), message: Type.String(), rows: Type.Array(rowOutcome) },
          {
            title: 'ReversalStopped',
            description: 'Conflict: a row was already paid out. The rows before it are reversed.',
          },
        ),
      },
    },
    async (request, reply) => {
      const { publisherId, transactionId: purchaseId } = request.params;
      const { action, reason } = request.body;
      const rows = await updateRowByRow(
        { db, reversePayment: operations.reversePayment, countStatus: operations.countStatus },
        request.actor,
        {
          publisherId,
          transactionId: purchaseId,
          action: action as Action,
          playerId: null,
          reason: reason ?? null,
        },
      );
      if (rows.every(({ outcome }) => outcome === 'updated')) return { rows };
      reply.code(409);
      return { code: 'Conflict', message: stoppedMessage, rows };
    },
  );
}
