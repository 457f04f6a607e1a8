import type { Command } from 'commander';
import { listPaymentFiles } from '../payees/files/payment-files.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { inDatabase, jsonOption, type PublisherOptions, toJson, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

/** Adds the command that lists a payout's payment files. People download them from the dashboard. */
export function addPayoutFileCommand(
  add: (name: string, description: string) => Command,
  tools: CommandTools,
): void {
  add('files', 'List the payment files of a payout, with their sums and SHA-256, and the lines without one.')
    .argument('<payoutId>')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, payoutId: string, options: PublisherOptions) =>
        list(work, tools, payoutId, options),
      ),
    );
}

async function list(
  { db, sealer }: Work,
  tools: CommandTools,
  payoutId: string,
  options: PublisherOptions,
): Promise<void> {
  const { payout, kinds, leftOut } = await listPaymentFiles(db, sealer, {
    publisherId: options.publisher,
    payoutId,
  });
  const { currency } = payout;
  if (options.json) {
    tools.print(toJson({ payoutId: payout.batchId, currency, kinds, leftOut }));
    return;
  }
  const amount = (minor: bigint): string => `${formatMinorUnits(minor, currency)} ${currency}`;
  printList(tools, options, {
    rows: kinds.flatMap(({ files }) => files),
    json: {},
    columns: {
      FILE: ({ fileName }) => fileName,
      LINES: ({ lineCount }) => String(lineCount),
      SUM: ({ sumMinor }) => amount(sumMinor),
      'SHA-256': ({ sha256 }) => sha256,
    },
    empty: 'No payment files.',
    below: [
      ...kinds.flatMap(({ kind, lineCount, sumMinor, problem }) =>
        problem === null ? [] : [`${kind}: ${lineCount} line(s), ${amount(sumMinor)}. ${problem}`],
      ),
      ...(leftOut.lineCount === 0
        ? []
        : [`No file contains ${leftOut.lineCount} line(s), ${amount(leftOut.sumMinor)}:`]),
      ...leftOut.lines.map(
        ({ reference, memberId, amountMinor, reason }) =>
          `  ${reference}  ${memberId}  ${amount(amountMinor)}  ${reason === 'NoMethod' ? 'no method when the payout was created' : 'amount too large for SEPA'}`,
      ),
    ],
  });
}
