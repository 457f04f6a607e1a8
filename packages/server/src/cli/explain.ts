import type { Command } from 'commander';
import { formatMinorUnits, shiftToMajorUnits } from '../platform/money.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import type { ShareRule } from '../revenue-shares/resolve-share.ts';
import { type Explanation, explainShares } from '../settlement/explain-shares.ts';
import {
  inDatabase,
  jsonOption,
  type PublisherOptions,
  publisherOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';

export function addExplainCommand(program: Command, tools: CommandTools): void {
  program
    .command('explain')
    .argument('<transactionId>', 'transactionId of the purchase')
    .description('Explain, rule by rule, the share of each row of a purchase.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, transactionId: string, options: PublisherOptions) =>
        explain(work, tools, transactionId, options),
      ),
    );
}

async function explain(
  { db }: Work,
  { print }: CommandTools,
  transactionId: string,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  const explanations = await explainShares(db, publisher, transactionId);
  if (json) print(toJson(explanations));
  else for (const each of explanations) for (const line of describe(each)) print(line);
}

const meanings: Readonly<Record<ShareRule, string>> = {
  sent: 'memberSharePercent sent with the purchase',
  sku: 'share of the SKU',
  'scheduled-tier': "scheduled share of the member's tier",
  'scheduled-group': 'scheduled share of the group',
  tier: "share of the member's tier",
  group: 'default share of the group',
};

const states = {
  posted: 'posted',
  waiting: 'not posted yet',
  test: 'a Test row, which is never paid',
} as const;

function* describe(row: Explanation): Generator<string> {
  const { subtotalMinor, currency, decided } = row;
  const inMajor = (amountMinor: bigint): string => `${formatMinorUnits(amountMinor, currency)} ${currency}`;
  yield `Row ${row.attributionId}: ${row.usesPlayerCode ? "the player's code" : 'code'} ${row.code}, ${inMajor(subtotalMinor)}, ${row.status}`;
  for (const { rule, offer } of row.offers) {
    const share =
      offer === null
        ? 'not set'
        : `${millionthsToPercent(offer.shareMillionths)}%${offer.source === null ? '' : ` (${offer.source})`}`;
    yield `  ${rule === decided.rule ? '→' : ' '} ${meanings[rule].padEnd(42)} ${share}`;
  }
  yield `    ${arithmetic(row)}`;
  if (row.refundedMinor > 0n && !row.isReversed)
    yield `    ${inMajor(row.refundedMinor)} refunded, ${inMajor(row.reversedMinor)} of the share taken back, ${inMajor(decided.shareMinor - row.reversedMinor)} left`;
  yield `    ${states[row.state]}${row.isReversed ? ', and reversed' : ''}\n`;
}

/** Formats the calculation in major units: `899.00 × 10% = 89.90 USD`, with the exact result when it was rounded. */
function arithmetic({ subtotalMinor, currency, decided }: Explanation): string {
  const product = `${formatMinorUnits(subtotalMinor, currency)} × ${millionthsToPercent(decided.shareMillionths)}%`;
  const share = `${formatMinorUnits(decided.shareMinor, currency)} ${currency}`;
  return decided.exact === String(decided.shareMinor)
    ? `${product} = ${share}`
    : `${product} = ${shiftToMajorUnits(decided.exact, currency)} → ${share} (rounded half-even)`;
}
