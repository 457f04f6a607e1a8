import { setImmediate } from 'node:timers/promises';
import { formatMinorUnits } from '../../../platform/money.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import { boundsOfMonth } from '../../payouts/read/read-month.ts';
import type { Statement, StatementPayout, StatementPayoutState } from '../statement.ts';
import type { Document } from './pdf-fonts.ts';
import { Pen } from './pdf-page.ts';
import { replacement } from './plain-text.ts';

const left = 56;
const right = 539; // A4 is 595 points wide
const bottom = 770;
const gray = '#5b5b66';

/** Own names, because those of Node change with its version. */
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/**
 * Draws a statement as a PDF file. The same statement always gives the same bytes: the file's date is that of the statement, and
 * it isn't compressed, because the result of compressing depends on the version of Node.
 */
export async function drawStatement(statement: Statement): Promise<Buffer> {
  // The library takes a while to load, and most processes never draw.
  const { default: PDFDocument } = await import('pdfkit');
  const title = `${statement.publisherName}: statement for ${monthOf(statement)}`;
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    compress: false,
    lang: 'en',
    displayTitle: true,
    autoFirstPage: false,
    font: '', // the default font isn't embedded
    info: {
      Title: title,
      CreationDate: statement.issuedAt,
      ModDate: statement.issuedAt,
    },
  });
  const pieces: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (piece: Buffer) => pieces.push(piece));
    document.on('end', () => resolve(Buffer.concat(pieces)));
    document.on('error', reject);
  });
  await drawPages(document, statement);
  await setImmediate();
  document.end();
  return done;
}

async function drawPages(document: Document, statement: Statement): Promise<void> {
  const pen = new Pen(document);
  let page = 0;
  const newPage = (): number => {
    document.addPage();
    page += 1;
    drawFooter(pen, statement, page);
    return 64;
  };
  let y = newPage();
  await setImmediate();
  y = drawHead(pen, statement, y);
  await setImmediate();
  y = drawAmounts(pen, statement, y + 20);
  if (statement.payouts.length === 0) return;
  await setImmediate();
  y = drawPayoutHead(pen, y + 34);
  for (const payout of statement.payouts) {
    if (y > bottom - 40) {
      await setImmediate(); // other requests are answered between pages
      y = drawPayoutHead(pen, newPage());
    }
    y = drawPayout(pen, statement, { payout, y });
  }
}

function drawHead(pen: Pen, statement: Statement, top: number): number {
  const { publisherName, accountName, accountId, groupName, currency, month, statementId, issuedAt } =
    statement;
  const { from, until } = boundsOfMonth(month);
  pen.text('Statement', { x: left, y: top, width: 240 }, { weight: 'bold', size: 20 });
  pen.text(
    monthOf(statement),
    { x: 300, y: top, width: right - 300 },
    { weight: 'bold', size: 14, align: 'right' },
  );
  let y = top + 30;
  const fact = (name: string, text: string): void => {
    pen.text(name, { x: left, y, width: 100 }, { color: gray });
    y = pen.text(text, { x: left + 104, y, width: right - left - 104 }, { maxLines: 2 }) + 1;
  };
  fact('From', publisherName);
  fact('Creator', accountName);
  fact('Account', accountId);
  fact('Group', groupName);
  fact('Period', `${dayOf(from)} – ${dayOf(laterBy(until, -1))} (UTC), by booking time`);
  fact('Currency', currency);
  fact('Statement', statementId);
  fact('Issued', dayOf(issuedAt));
  if ([publisherName, accountName, groupName].some((name) => pen.replacesLetters(name)))
    y = pen.text(
      `${replacement} stands for characters that this file can’t show. The account above identifies the creator.`,
      { x: left, y: y + 4, width: right - left },
      { size: 8.5, color: gray },
    );
  return y;
}

/** Lines of the statement. Those that are optional are left out if they are zero. */
const amounts = [
  ['Opening balance', 'openingMinor', false],
  ['Earned from purchases', 'earnedMinor', false],
  ['Bounty rewards', 'bountiesMinor', true],
  ['Reversed before payout', 'reversedMinor', true],
  ['Reversed after payout', 'clawedBackMinor', true],
  ['Reinstated refunds', 'reinstatedMinor', true],
  ['Added to payouts', 'toPayoutsMinor', true],
  ['Returned from payouts', 'fromPayoutsMinor', true],
  ['Transferred from a claimed account', 'claimedMinor', true],
] as const;

function drawAmounts(pen: Pen, statement: Statement, top: number): number {
  const { currency } = statement;
  let y = top;
  const row = (name: string, minor: bigint, weight: 'regular' | 'bold'): void => {
    pen.text(name, { x: left, y, width: 320 }, { weight, size: 11 });
    const amount = `${formatMinorUnits(minor, currency)} ${currency}`;
    pen.text(amount, { x: 330, y, width: right - 330 }, { weight, size: 11, align: 'right' });
    pen.line(y + 7, { from: left, to: right });
    y += 22;
  };
  pen.line(y - 15, { from: left, to: right });
  for (const [name, key, isOptional] of amounts)
    if (!isOptional || statement[key] !== 0n)
      row(name, statement[key], key === 'openingMinor' ? 'bold' : 'regular');
  row('Closing balance', statement.closingMinor, 'bold');
  return y;
}

const states: Readonly<Record<StatementPayoutState, string>> = {
  Created: 'not paid yet',
  Sent: 'sent',
  Paid: 'paid',
  Failed: 'failed',
  Returned: 'returned',
  Cancelled: 'canceled',
};

const columns = [
  ['Payout', left, 50],
  ['Reference', left + 54, 110],
  ['Created', left + 168, 84],
  ['Status at the end of the month', left + 256, 130],
] as const;

function drawPayoutHead(pen: Pen, top: number): number {
  pen.text('Payouts', { x: left, y: top, width: 300 }, { weight: 'bold', size: 13 });
  const y = top + 20;
  for (const [name, x, width] of columns) pen.text(name, { x, y, width }, { size: 8.5, color: gray });
  pen.text('Amount', { x: 440, y, width: right - 440 }, { size: 8.5, color: gray, align: 'right' });
  pen.line(y + 6, { from: left, to: right });
  return y + 20;
}

function drawPayout(
  pen: Pen,
  { currency }: Statement,
  { payout, y }: { payout: StatementPayout; y: number },
): number {
  const { number, reference, createdAt, state, paidAt, amountMinor } = payout;
  const isSentOrPaid = state === 'Sent' || state === 'Paid';
  const day = isSentOrPaid && paidAt !== null ? ` on ${dayOf(paidAt)}` : '';
  const texts = [String(number), reference, dayOf(createdAt), `${states[state]}${day}`];
  for (const [index, [, x, width]] of columns.entries()) pen.text(texts[index] ?? '', { x, y, width });
  const amount = `${formatMinorUnits(amountMinor, currency)} ${currency}`;
  pen.text(amount, { x: 440, y, width: right - 440 }, { align: 'right' });
  return y + 17;
}

function drawFooter(pen: Pen, { statementId }: Statement, page: number): void {
  const style = { size: 8, color: gray };
  pen.line(bottom, { from: left, to: right });
  pen.text(
    'This is not a tax invoice. An amount in a payout has left the balance; it is called paid only once it has been paid.',
    { x: left, y: bottom + 14, width: right - left },
    style,
  );
  pen.text(`Statement ${statementId}`, { x: left, y: bottom + 26, width: 300 }, style);
  pen.text(`Page ${page}`, { x: right - 100, y: bottom + 26, width: 100 }, { ...style, align: 'right' });
}

const monthOf = ({ month }: Statement): string =>
  `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
