import { csvLine } from '../../platform/csv.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { PayeeSettings } from '../payee-settings.ts';
import type { PaidPayout, PaymentLine } from './payment-line.ts';

type WriteCell = (line: PaymentLine, payout: PaidPayout, settings: PayeeSettings) => string;

const name: WriteCell = ({ destination }) => destination.holderName;
const email: WriteCell = ({ destination }) => {
  if (destination.kind !== 'wise-email') throw new Error('a line of a Wise file is paid by another method');
  return destination.email;
};
const reference: WriteCell = (line) => line.reference;
const type: WriteCell = ({ destination }) =>
  destination.holderType === 'business' ? 'INSTITUTION' : 'PERSON';

/** Cells of a Wise template, by the name of the column in lower case. Templates differ in their columns. */
const cells: Readonly<Record<string, WriteCell>> = {
  name,
  email,
  recipientemail: email,
  reference,
  paymentreference: reference,
  receivertype: type,
  recipienttype: type,
  amount: ({ amountMinor }, { currency }) => formatMinorUnits(amountMinor, currency),
  // Fees and the exchange are the publisher's: the creator gets the whole amount in the payout's currency.
  amountcurrency: () => 'target',
  targetcurrency: (_line, { currency }) => currency,
  sourcecurrency: (_line, { currency }, { wiseSourceCurrency }) => wiseSourceCurrency ?? currency,
};

/** Columns without which Wise can't make the payment, or would deduct its fees from the creator's money. */
const needed = ['name', 'sourcecurrency', 'targetcurrency', 'amount', 'amountcurrency'];

/**
 * Reads the first line of a Wise template and returns its columns.
 * @throws Refusal InvalidInput for a column that the service can't fill, or one that is missing
 */
export function readWiseHeader(header: string): string[] {
  const invalid = (message: string): Refusal =>
    new Refusal('InvalidInput', message, { path: ['wiseHeader'] });
  const columns = header
    .replace(/^\ufeff/, '')
    .trim()
    .split(',')
    .map((each) => each.trim().replace(/^"(.*)"$/, '$1'));
  const known = columns.map((each) => each.toLowerCase());
  const strange = columns.find((_each, index) => cells[known[index] ?? ''] === undefined);
  if (strange !== undefined)
    throw invalid(
      `The service doesn't know the column ${JSON.stringify(strange.slice(0, 50))} of a Wise template. It knows name, recipientEmail, amount, amountCurrency, sourceCurrency, targetCurrency, paymentReference and receiverType. Copy the first line of your “Send by email” template.`,
    );
  if (new Set(known).size < known.length) throw invalid('A column of the Wise template is repeated.');
  const missing = needed.find((each) => !known.includes(each));
  if (missing !== undefined || !known.some((each) => each === 'email' || each === 'recipientemail'))
    throw invalid(
      `The Wise template has no column ${missing ?? 'recipientEmail'}. Copy the first line of your “Send by email” template.`,
    );
  return columns;
}

/** Formats a file for Wise's "send by email", with the columns of the publisher's own template in its order. */
export function wiseFile(lines: readonly PaymentLine[], payout: PaidPayout, settings: PayeeSettings): string {
  const columns = readWiseHeader(settings.wiseHeader ?? '');
  const writers = columns.map((each) => cells[each.toLowerCase()] as WriteCell);
  return [
    csvLine(columns.map((text) => ({ text }))),
    ...lines.map((line) => csvLine(writers.map((write) => ({ text: write(line, payout, settings) })))),
  ].join('');
}
