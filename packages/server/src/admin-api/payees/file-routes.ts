import { Type } from 'typebox';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { methodKinds } from '../../payees/destination.ts';
import { methodKind } from '../../payees/destination-input.ts';
import { listPaymentFiles, makePaymentFile } from '../../payees/files/payment-files.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';
import { exportFileName } from '../payouts/csv-answer.ts';
import { payoutPath } from '../payouts/payout-model.ts';
import type { Exports } from '../running-exports.ts';
import { minor, nullable, oneOf } from '../schemas.ts';

const sum = minor('Sum of the lines.');
const lineCount = Type.Integer();

const file = Type.Object(
  {
    kind: methodKind,
    part: Type.Integer({ description: 'Number of the file among those of its kind, starting at 1.' }),
    parts: Type.Integer(),
    fileName: Type.String(),
    lineCount,
    sumMinor: sum,
    sha256: Type.String({ description: 'SHA-256 of the file, as hexadecimal digits.' }),
  },
  { title: 'PaymentFile' },
);

const files = Type.Object(
  {
    currency: Type.String(),
    kinds: Type.Array(
      Type.Object(
        {
          kind: methodKind,
          lineCount,
          sumMinor: sum,
          problem: nullable(
            Type.String({ description: 'Reason why there are no files, and what to do; null if there are.' }),
          ),
          files: Type.Array(file),
        },
        { title: 'KindOfPaymentFiles' },
      ),
    ),
    leftOut: Type.Object(
      {
        lineCount,
        sumMinor: sum,
        lines: Type.Array(
          Type.Object(
            {
              reference: Type.String(),
              memberId: Type.String(),
              name: Type.String(),
              amountMinor: minor('Amount of the line.'),
              reason: oneOf(['NoMethod', 'AmountTooLarge'], {
                description: 'NoMethod: the creator had no usable method when the payout was created.',
              }),
            },
            { title: 'LineWithoutFile' },
          ),
          { description: 'At most 1,000.' },
        ),
      },
      { title: 'LinesWithoutFile', description: 'Lines that no file contains.' },
    ),
  },
  { title: 'PaymentFiles' },
);

export function paymentFileRoutes(app: App, { database: { db }, sealer }: Service, exports: Exports): void {
  const { operation, rawOperation } = adminOperations(app, 'Payees');
  operation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/files', 'listPaymentFiles'],
    {
      may: 'payees',
      summary: 'List the payment files of a payout, with their sums and hashes',
      description:
        'Each line is in the file of the method that was set when the payout was created. Lines without a method are listed.',
      path: payoutPath.properties,
      answer: files,
    },
    async ({ params: { publisherId, payoutId } }) => {
      const { payout, kinds, leftOut } = await listPaymentFiles(db, sealer, { publisherId, payoutId });
      return { currency: payout.currency, kinds, leftOut };
    },
  );
  rawOperation(
    ['get', '/publishers/:publisherId/payouts/:payoutId/files/:kind/:part', 'downloadPaymentFile'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Download a payment file',
      description:
        'Repeating the request returns the same bytes. Each download is recorded in the audit log.',
      path: {
        ...payoutPath.properties,
        kind: oneOf(methodKinds, { description: 'Kind of the method.' }),
        part: Type.String({
          pattern: '^[1-9][0-9]{0,5}$',
          description: 'Number of the file, starting at 1.',
        }),
      },
      query: {
        executionDay: Type.Optional(
          Type.String({
            pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
            description:
              'Day on which the bank is asked to pay. Only for SEPA files. The default is the day on which the payout was created.',
          }),
        ),
      },
      answers: {
        200: {
          description: 'The file: CSV, or XML for a bank.',
          content: {
            'text/csv': { schema: Type.String() },
            'application/xml': { schema: Type.String() },
          },
        },
      },
    },
    async (request, reply) => {
      const { publisherId, payoutId, kind } = request.params;
      const part = Number(request.params.part);
      const { executionDay = null } = request.query;
      exports.begin(request, reply);
      const made = await makePaymentFile(db, sealer, { publisherId, payoutId, kind, part, executionDay });
      await recordExport(db, request.actor, {
        publisherId,
        action: 'payout.export-file',
        target: `payout:${payoutId}`,
        after: { file: made.fileName, lines: made.lineCount, sha256: made.sha256 },
      });
      return reply
        .type(kind === 'sepa' ? 'application/xml; charset=utf-8' : 'text/csv; charset=utf-8')
        .header('content-disposition', attachmentOf(exportFileName(request, made.fileName)))
        .header('cache-control', 'no-store')
        .send(Buffer.from(made.text));
    },
  );
}
