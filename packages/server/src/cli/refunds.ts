import type { Command } from 'commander';
import { getTransaction } from '../attributions/get-transaction.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { type PurchaseRefund, readRefunds } from '../settlement/refunds/read-refunds.ts';
import {
  inDatabase,
  jsonOption,
  type PublisherOptions,
  publisherOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

export function addRefundCommands(program: Command, tools: CommandTools): void {
  const refunds = program
    .command('refunds')
    .description('List the refunds of a purchase, and reinstate them.');
  const add = (name: string, description: string): Command =>
    refunds.command(name).description(description).addOption(publisherOption());
  add('list', 'List everything that was taken back from a purchase, oldest first.')
    .argument('<transactionId>')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, transactionId: string, options: PublisherOptions) =>
        list(work, tools, transactionId, options),
      ),
    );
  add('reinstate', 'Give back what a refund, a status change or a clawback took.')
    .argument('<transactionId>')
    .argument('<refundId>', 'id of the refund, as listed')
    .requiredOption('--reason <text>', 'reason, 1 to 500 characters')
    .addOption(jsonOption())
    .action(
      inDatabase(
        tools,
        (work, transactionId: string, refundId: string, options: PublisherOptions & { reason: string }) =>
          reinstate(work, tools, { transactionId, refundId, ...options }),
      ),
    );
}

async function list(
  { db }: Work,
  tools: CommandTools,
  transactionId: string,
  options: PublisherOptions,
): Promise<void> {
  const { publisher } = options;
  await requirePublisher(db, publisher);
  const refunds = await readRefunds(db, publisher, transactionId);
  if (refunds.length === 0) await getTransaction(db, publisher, transactionId);
  const rows = refunds.flatMap((refund) => refund.rows.map((row) => ({ refund, row })));
  printList(tools, options, {
    rows,
    nextCursor: null,
    json: { refunds: refunds.map(toListed) },
    columns: {
      REFUND: ({ refund }) => refund.refundId,
      SOURCE: ({ refund }) => refund.source,
      REASON: ({ refund }) => refund.reversal,
      ROW: ({ row }) => row.attributionId,
      AMOUNT: ({ row }) => `${formatMinorUnits(row.amountMinor, row.currency)} ${row.currency}`,
      SHARE: ({ row }) => `${formatMinorUnits(row.shareMinor, row.currency)} ${row.currency}`,
      RECORDED: ({ refund }) => refund.createdAt.toISOString(),
      REINSTATED: ({ refund }) => refund.reinstated?.at.toISOString() ?? '-',
    },
    empty: `Nothing was taken back from purchase ${transactionId}.`,
  });
}

const toListed = ({ rows, reinstated, ...refund }: PurchaseRefund) => ({
  ...refund,
  reinstatedAt: reinstated?.at ?? null,
  rows: rows.map(({ recordIds: _, ...row }) => row),
});

async function reinstate(
  { db, actor, operations }: Work,
  { printDone }: CommandTools,
  {
    publisher: publisherId,
    transactionId,
    refundId,
    reason,
    json,
  }: PublisherOptions & { transactionId: string; refundId: string; reason: string },
): Promise<void> {
  await requirePublisher(db, publisherId);
  const made = await (await operations()).reinstateRefund(db, actor, {
    publisherId,
    transactionId,
    refundId,
    reason,
    occurredAt: null,
  });
  printDone(
    json
      ? toJson(made)
      : [
          `Refund ${made.refundId} is reinstated.`,
          ...made.rows.map(
            ({ attributionId, shareMinor, currency, status }) =>
              `Row ${attributionId}: ${formatMinorUnits(shareMinor, currency)} ${currency} of the share given back, status ${status}.`,
          ),
        ].join('\n'),
  );
}
