import { formatMinorUnits } from '../../../platform/money.ts';
import type { MonthSums } from './month-sums.ts';
import type { MonthProof } from './read-month-proof.ts';
import type { Movements } from './read-statements.ts';

const lineEnd = '\r\n'; // for old Windows editors
const at = (time: Date): string => time.toISOString().replace('.000Z', 'Z');

/** Returns the text of README.txt: a list of the files, the sums that must agree, and definitions of the terms. */
export function describeMonth(sums: MonthSums): string {
  const { publisherId, month, from, asOf, isClosed } = sums.span;
  return asText([
    `MONTH-END FILES OF ${publisherId}, ${month}`,
    '',
    `From ${at(from)} up to, but not including, ${at(asOf)} (UTC). All groups.`,
    isClosed
      ? 'The month is over: nothing will be added to it. If you download it again, every amount will be the same.'
      : 'THE MONTH IS NOT OVER. Download it again after its end for the final amounts.',
    '',
    'THE FILES',
    '',
    'summary.csv       Totals by group and currency. Start here.',
    'statements.csv    One line for each creator and currency: opening balance, movements, closing balance.',
    'payouts.csv       One line for each creator in each payout that was created, paid or canceled in the month.',
    'clawbacks.csv     Amounts taken back in the month for purchases that had already been paid.',
    'balances.csv      What each creator was owed at the end. Creators owe negative amounts.',
    'ledger-proof.txt  The checks that the ledger passed, and when.',
    '',
    'HOW IT ADDS UP',
    '',
    'In each line of statements.csv and summary.csv:',
    '  opening + earned + reversed + clawedBack + bounties + paid = closing',
    'Amounts that reduce what a creator is owed are negative. The closing balance of a month is the opening',
    'balance of the next. Never add amounts of different currencies.',
    ...(sums.byCurrency().length === 0 ? ['', 'Nothing has been booked up to this time.'] : []),
    ...sums.byCurrency().flatMap((sum) => ['', ...sumLines(sum)]),
    '',
    'WHAT THE COLUMNS MEAN',
    '',
    'earned      Shares of purchases that the ledger booked in the month, usually seconds after the purchase.',
    'reversed    Shares taken back for refunds, fraud and chargebacks before they were in a payout, minus the shares of all',
    '            refunds that were reinstated in the month.',
    'clawedBack  Shares taken back after they had been paid. They are deducted from the next payout.',
    'bounties    Rewards for completed bounties.',
    'paid        Amounts put into payouts. An amount leaves the balance when its payout is created, not when it is',
    '            marked as paid. A canceled payout adds its amounts back, and so does a line that failed or was returned.',
    `booked      The part of a payout that is in the month's "paid". Zero for a payout that was created in an earlier`,
    '            month and marked as paid in this one.',
    "result      A payout line's result at the end of the period above: Sent, Paid, Failed or Returned. Empty if not known.",
    "status      A payout's status at the end of the period above, or the current status of a clawback's row.",
    '',
    'Amounts are in major units with the decimal places of their currency; columns ending in "Minor" are in its',
    'smallest unit, such as cents. Names and player ids are those at the time of the download.',
    '',
    'WHY THE MONTH PAGE MAY SHOW OTHER AMOUNTS',
    '',
    "The dashboard's Month page counts a purchase on the day of the purchase, and a reversal in the month of its purchase. These",
    'files count both when the ledger booked them, so that a month that is over never changes. They differ by purchases',
    'around midnight (UTC) on the first and last day, by purchases that were sent late, and by later reversals. The page lists',
    'the amounts that are only in one of the two, so that you can tick off each sum.',
  ]);
}

type CurrencySum = ReturnType<MonthSums['byCurrency']>[number];

const rows = [
  ['opening', 'openingMinor'],
  ['earned', 'earnedMinor'],
  ['reversed', 'reversedMinor'],
  ['clawedBack', 'clawedBackMinor'],
  ['bounties', 'bountiesMinor'],
  ['paid', 'paidMinor'],
  ['closing', 'closingMinor'],
] as const satisfies readonly (readonly [string, keyof Movements])[];

function sumLines(sum: CurrencySum): string[] {
  const { currency } = sum;
  const texts = rows.map(([name, key]) => [name, formatMinorUnits(sum[key], currency)] as const);
  const width = Math.max(...texts.map(([, text]) => text.length));
  return [
    currency,
    ...texts.map(([name, text]) => `  ${name.padEnd(12)}${text.padStart(width)}`),
    ...sum.checks.map((check) => `  ${describeCheck(check, currency)}`),
  ];
}

function describeCheck(
  { file, column, of, minor, expectedMinor }: CurrencySum['checks'][number],
  currency: string,
): string {
  const sum = `The ${column} column of ${file} adds up to ${formatMinorUnits(minor, currency)}`;
  return minor === expectedMinor
    ? `${sum}, the same as ${of}.`
    : `DOES NOT AGREE: ${sum}, but ${of} is ${formatMinorUnits(expectedMinor, currency)}.`;
}

/** Returns the text of ledger-proof.txt. */
export function describeProof(sums: MonthSums, proof: MonthProof): string {
  const { publisherId, month, asOf, isClosed } = sums.span;
  const currencies = sums.byCurrency();
  const isReconciled = currencies.every(
    (sum) =>
      sum.checks.every(({ minor, expectedMinor }) => minor === expectedMinor) && differenceOf(sum) === 0n,
  );
  const ofMonth = new Set(currencies.map(({ currency }) => currency));
  return asText([
    `LEDGER PROOF OF ${publisherId}, ${month}`,
    `Balances as of ${at(asOf)} (UTC).`,
    '',
    '1. THE FILES AGREE WITH EACH OTHER',
    '',
    isReconciled
      ? 'Yes. In each currency, the statements add up, and so do payouts, clawbacks and balances (README.txt).'
      : 'NO. README.txt names the sums that differ. Do not book these amounts. Contact your operator.',
    ...currencies.map(
      (sum) =>
        `  ${sum.currency}  opening + movements - closing = ${formatMinorUnits(differenceOf(sum), sum.currency)}`,
    ),
    '',
    '2. THE LEDGER ADDS UP TO ZERO',
    '',
    'Over all time, earned - reversed + bounties - in payouts - owed must be zero in each currency. The five sums come from',
    'separate tables: earnings by day, rewards, payouts, and balances.',
    ...proof.zeroSums
      .filter(({ currency }) => ofMonth.has(currency))
      .map(
        ({ currency, differenceMinor }) =>
          `  ${currency}  ${differenceMinor === 0n ? 'zero' : `NOT ZERO: ${formatMinorUnits(differenceMinor, currency)}`}`,
      ),
    '',
    '3. THE LEDGER WAS VERIFIED',
    '',
    ...describeVerification(proof, isClosed),
  ]);
}

const differenceOf = (sum: Movements): bigint =>
  sum.openingMinor +
  sum.earnedMinor +
  sum.reversedMinor +
  sum.clawedBackMinor +
  sum.bountiesMinor +
  sum.paidMinor -
  sum.closingMinor;

function describeVerification(
  { verification, fault, lastProvenAt }: MonthProof,
  isClosed: boolean,
): string[] {
  if (fault !== null)
    return [
      'NO. The last verification found a difference:',
      `  rule      ${fault.finding?.rule ?? ''}`,
      `  place     ${fault.finding?.place ?? ''}`,
      `  ended     ${fault.endedAt === null ? '' : at(fault.endedAt)}`,
      "Don't book these amounts until it is explained.",
    ];
  if (verification !== null) {
    const { looked, looksAtAll, startedAt, endedAt, requestedBy, verificationId } = verification;
    return [
      `Yes, after the ${isClosed ? "month's end" : 'time above'}, without a difference.`,
      `  verification  ${verificationId}`,
      `  kind          ${looksAtAll ? 'full: everything was compared' : 'changes since the verification before it'}`,
      `  requested by  ${requestedBy.name}`,
      `  started       ${startedAt === null ? '' : at(startedAt)}`,
      `  ended         ${endedAt === null ? '' : at(endedAt)}`,
      ...(looked === null
        ? []
        : [
            `  compared      ${looked.rows} purchase rows, ${looked.entries} ledger entries, ${looked.balances} balances,`,
            `                ${looked.days} of ${looked.ofDays} days, ${looked.payouts} of ${looked.ofPayouts} payouts`,
          ]),
    ];
  }
  if (lastProvenAt !== null)
    return [
      `Yes, by a command or a program on the service's machine. It last passed at ${at(lastProvenAt)}.`,
    ];
  return [
    `NOT YET since the ${isClosed ? "month's end" : 'time above'}. Choose Verify on the Ledger page, and download the month again.`,
  ];
}

const asText = (lines: readonly string[]): string => `${lines.join(lineEnd)}${lineEnd}`;
