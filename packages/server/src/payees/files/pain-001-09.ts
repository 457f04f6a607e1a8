import { formatMinorUnits } from '../../platform/money.ts';
import type { PayeeSettings } from '../payee-settings.ts';
import type { PaidPayout, PaymentLine } from './payment-line.ts';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

export interface SepaFile {
  /** Identifier of the file. Never changes, so that a bank can reject a second upload. */
  messageId: string;
  /** Day on which the bank is asked to pay, as yyyy-mm-dd. */
  executionDay: string;
  debtor: NonNullable<PayeeSettings['debtor']>;
}

/**
 * Formats a SEPA credit transfer as ISO 20022 pain.001.001.09: euros, one debtor, fees shared, and no addresses,
 * because banks reject incomplete ones. Names contain only letters that every bank accepts.
 */
export function pain001(
  lines: readonly PaymentLine[],
  { number, createdAt }: PaidPayout,
  { messageId, executionDay, debtor }: SepaFile,
): string {
  const sum = euros(lines.reduce((total, { amountMinor }) => total + amountMinor, 0n));
  const totals = [element('NbOfTxs', String(lines.length)), element('CtrlSum', sum)];
  const groupHeader = [
    element('MsgId', messageId),
    element('CreDtTm', `${createdAt.toISOString().slice(0, 19)}Z`),
    ...totals,
    group('InitgPty', [element('Nm', debtor.name)]),
  ];
  const payment = [
    element('PmtInfId', messageId),
    element('PmtMtd', 'TRF'),
    ...totals,
    group('PmtTpInf', [group('SvcLvl', [element('Cd', 'SEPA')])]),
    group('ReqdExctnDt', [element('Dt', executionDay)]),
    group('Dbtr', [element('Nm', debtor.name)]),
    group('DbtrAcct', [group('Id', [element('IBAN', debtor.iban)])]),
    group('DbtrAgt', [
      agent(debtor.bic) ?? group('FinInstnId', [group('Othr', [element('Id', 'NOTPROVIDED')])]),
    ]),
    element('ChrgBr', 'SLEV'),
    ...lines.map((line) => transfer(line, number)),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${namespace}">`,
    group('CstmrCdtTrfInitn', [group('GrpHdr', groupHeader), group('PmtInf', payment)]),
    '</Document>',
    '',
  ].join('\n');
}

function transfer({ reference, amountMinor, destination }: PaymentLine, number: number): string {
  if (destination.kind !== 'sepa') throw new Error('a line of a SEPA file is paid by another method');
  const bank = agent(destination.bic);
  return group('CdtTrfTxInf', [
    group('PmtId', [element('EndToEndId', reference)]),
    group('Amt', [`<InstdAmt Ccy="EUR">${euros(amountMinor)}</InstdAmt>`]),
    ...(bank === null ? [] : [group('CdtrAgt', [bank])]),
    group('Cdtr', [element('Nm', destination.holderName)]),
    group('CdtrAcct', [group('Id', [element('IBAN', destination.iban)])]),
    group('RmtInf', [element('Ustrd', `Payout ${number} ${reference}`)]),
  ]);
}

const agent = (bic: string | null): string | null =>
  bic === null ? null : group('FinInstnId', [element('BICFI', bic)]);

const euros = (amountMinor: bigint): string => formatMinorUnits(amountMinor, 'EUR');

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const group = (name: string, parts: readonly string[]): string => `<${name}>${parts.join('')}</${name}>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
