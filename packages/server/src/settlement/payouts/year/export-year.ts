import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, csvLine } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/database.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import type { Separately } from '../month/read-statements.ts';
import type { OpenPayees } from '../read/export-payout.ts';
import { readYearPayments, type YearPayments } from './read-year-payments.ts';
import type { YearSpan } from './year-span.ts';

interface YearExport {
  span: YearSpan;
  /** Opens the payout methods of lines. Only their countries are written. */
  openPayees: OpenPayees;
  separately?: Separately;
}

const columns = [
  'year',
  'memberId',
  'name',
  'country',
  'currency',
  'payments',
  'paid',
  'paidMinor',
  'returns',
  'returned',
  'returnedMinor',
  'net',
  'netMinor',
] as const;
const methodsPerRead = 1_000;

/**
 * Streams what each creator was paid in a year as CSV, one line for each creator and currency. A payment counts in the
 * year in which it was paid, and is deducted in the year in which it came back, so that a past year never changes.
 */
export const exportYear = (
  db: Db,
  { span, openPayees, separately = (work) => work() }: YearExport,
  output: Writable,
): Promise<void> =>
  pipeline(Readable.from(lines(db, { span, openPayees, separately })), output, { end: false });

async function* lines(
  db: Db,
  { span, openPayees, separately }: Required<YearExport>,
): AsyncGenerator<string> {
  yield csvLine(columns.map((text) => ({ text })));
  for await (const page of readYearPayments(db, span, separately)) {
    const countries = await countriesOf(page, (ids) => separately(() => openPayees(ids)));
    yield page.map((payments) => csvLine(cells(span, payments, countries))).join('');
  }
}

async function countriesOf(
  page: readonly YearPayments[],
  openPayees: OpenPayees,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(page.flatMap(({ methodIds }) => methodIds))];
  const countries = new Map<string, string>();
  for (let from = 0; from < ids.length; from += methodsPerRead)
    for (const [id, { country }] of await openPayees(ids.slice(from, from + methodsPerRead)))
      countries.set(id, country);
  return countries;
}

function cells({ year }: YearSpan, payments: YearPayments, countries: ReadonlyMap<string, string>): Cell[] {
  const { currency, paidMinor, returnedMinor } = payments;
  const country = [...new Set(payments.methodIds.flatMap((id) => countries.get(id) ?? []))].sort();
  const amount = (minor: bigint): Cell[] => [
    { figure: formatMinorUnits(minor, currency) },
    { figure: String(minor) },
  ];
  return [
    { figure: year },
    { exactId: payments.memberId },
    { text: payments.name },
    { text: country.join(' ') },
    { figure: currency },
    { figure: String(payments.paymentCount) },
    ...amount(paidMinor),
    { figure: String(payments.returnCount) },
    ...amount(-returnedMinor),
    ...amount(paidMinor - returnedMinor),
  ];
}
