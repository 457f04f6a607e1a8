import { csvLine } from '../../platform/csv.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import type { PayeeSettings } from '../payee-settings.ts';
import type { PaidPayout, PaymentLine } from './payment-line.ts';
import { readWiseHeader, type WiseColumn } from './wise-header.ts';

type WriteCell = (line: PaymentLine, payout: PaidPayout, settings: PayeeSettings) => string;

const email: WriteCell = ({ destination }) => {
  if (destination.kind !== 'wise-email') throw new Error('a line of a Wise file is paid by another method');
  return destination.email;
};
const reference: WriteCell = (line) => line.reference;
const type: WriteCell = ({ destination }) =>
  destination.holderType === 'business' ? 'INSTITUTION' : 'PERSON';

const cells: Readonly<Record<WiseColumn, WriteCell>> = {
  name: ({ destination }) => destination.holderName,
  email,
  recipientemail: email,
  reference,
  paymentreference: reference,
  receivertype: type,
  recipienttype: type,
  amount: ({ amountMinor }, { currency }) => formatMinorUnits(amountMinor, currency),
  // The publisher pays fees and exchange: the creator gets the whole amount in the payout's currency.
  amountcurrency: () => 'target',
  targetcurrency: (_line, { currency }) => currency,
  sourcecurrency: (_line, { currency }, { wiseSourceCurrency }) => wiseSourceCurrency ?? currency,
};

/** Formats a file for Wise's "send by email", with the columns of the publisher's own template in its order. */
export function wiseFile(lines: readonly PaymentLine[], payout: PaidPayout, settings: PayeeSettings): string {
  const columns = readWiseHeader(settings.wiseHeader ?? '');
  return [
    csvLine(columns.map(({ spelling }) => ({ text: spelling }))),
    ...lines.map((line) =>
      csvLine(columns.map(({ column }) => ({ text: cells[column](line, payout, settings) }))),
    ),
  ].join('');
}
