import { Refusal } from '../../platform/refusal.ts';

/** Columns of Wise templates that the service can fill, in lower case. Templates differ in their columns. */
export const wiseColumns = [
  'name',
  'email',
  'recipientemail',
  'reference',
  'paymentreference',
  'receivertype',
  'recipienttype',
  'amount',
  'amountcurrency',
  'targetcurrency',
  'sourcecurrency',
] as const;
export type WiseColumn = (typeof wiseColumns)[number];

/** Columns without which Wise can't make the payment, or would deduct its fees from the creator's money. */
const needed: readonly WiseColumn[] = [
  'name',
  'sourcecurrency',
  'targetcurrency',
  'amount',
  'amountcurrency',
];

const isKnown = (column: string): column is WiseColumn => (wiseColumns as readonly string[]).includes(column);

/**
 * Reads the first line of a Wise template.
 * @returns the columns with their spelling
 * @throws Refusal InvalidInput for a column that the service can't fill, or one that is missing
 */
export function readWiseHeader(header: string): { column: WiseColumn; spelling: string }[] {
  const columns = header
    .replace(/^\ufeff/, '')
    .trim()
    .split(',')
    .map((each) => each.trim().replace(/^"(.*)"$/, '$1'))
    .map((spelling) => {
      const column = spelling.toLowerCase();
      if (isKnown(column)) return { column, spelling };
      throw invalid(
        `The service doesn't support the column ${JSON.stringify(spelling.slice(0, 50))} of a Wise template. The supported columns are name, recipientEmail, amount, amountCurrency, sourceCurrency, targetCurrency, paymentReference and receiverType. Copy the first line of your “Send by email” template.`,
      );
    });
  const found = new Set<string>(columns.map(({ column }) => column));
  if (found.size < columns.length) throw invalid('A column of the Wise template is repeated.');
  const missing = needed.find((each) => !found.has(each));
  if (missing !== undefined || !(found.has('email') || found.has('recipientemail')))
    throw invalid(
      `The Wise template has no column ${missing ?? 'recipientEmail'}. Copy the first line of your “Send by email” template.`,
    );
  return columns;
}

const invalid = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['wiseHeader'] });
