import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { getPayout, type PayoutBatch } from '../../settlement/payouts/read/read-payouts.ts';
import type { MethodKind } from '../destination.ts';
import { type PayeeSettings, readPayeeSettings } from '../payee-settings.ts';
import { pain001 } from './pain-001-09.ts';
import { maxLines, type PaymentLine } from './payment-line.ts';
import { paypalFile } from './paypal-file.ts';
import {
  fileDeleted,
  type LeftOut,
  readDeletedKinds,
  readKindTotals,
  readLeftOut,
  readLines,
} from './read-lines.ts';
import { wiseFile } from './wise-file.ts';

export interface PaymentFile {
  kind: MethodKind;
  /** Number of the file among those of its kind, starting at 1. */
  part: number;
  parts: number;
  fileName: string;
  lineCount: number;
  sumMinor: bigint;
  /** SHA-256 of the file, as hexadecimal digits. */
  sha256: string;
  text: string;
}

/** Files of one kind of method, without their text. */
export interface KindOfFiles {
  kind: MethodKind;
  lineCount: number;
  sumMinor: bigint;
  /** Reason why the files can't be generated, and what to do; null if they can. */
  problem: string | null;
  /** Empty if there is a problem. */
  files: Omit<PaymentFile, 'text'>[];
}

export interface PaymentFiles {
  payout: PayoutBatch;
  kinds: KindOfFiles[];
  leftOut: LeftOut;
}

interface FileKey {
  publisherId: string;
  /** Payout id as entered. */
  payoutId: string;
}

export interface WantedFile extends FileKey {
  kind: MethodKind;
  part: number;
  /** Day on which the bank is asked to pay, as yyyy-mm-dd; null for the day on which the payout was created. */
  executionDay: string | null;
}

/**
 * Lists the payment files of a payout, with the sum and the hash of each, and the lines that no file contains.
 * @throws Refusal NotFound; Conflict for a payout that must not be paid
 */
export async function listPaymentFiles(
  db: Db,
  sealer: Sealer,
  { publisherId, payoutId }: FileKey,
): Promise<PaymentFiles> {
  const payout = await readPayable(db, publisherId, payoutId);
  const settings = await readPayeeSettings(db, publisherId);
  const kinds: KindOfFiles[] = [];
  const key = { publisherId, batchId: payout.batchId };
  const deleted = await readDeletedKinds(db, key);
  for (const total of await readKindTotals(db, key)) {
    const problem = deleted.has(total.kind) ? fileDeleted : problemOf(total.kind, settings);
    const files: KindOfFiles['files'] = [];
    const parts = problem === null ? partsOf(total.kind, total.lineCount) : 0;
    for (let part = 1; part <= parts; part += 1) {
      const wanted = { publisherId, payoutId, kind: total.kind, part, executionDay: null };
      const { text: _text, ...file } = await makeFile(db, sealer, wanted, { payout, settings, parts });
      files.push(file);
      await setImmediate(); // hashing a file takes tens of milliseconds, so let other requests run
    }
    kinds.push({ ...total, problem, files });
  }
  return { payout, kinds, leftOut: await readLeftOut(db, key) };
}

/**
 * Generates one payment file of a payout. The lines and their methods were set when the payout was created, so the same
 * request always returns the same bytes.
 * @throws Refusal NotFound; Conflict for a payout that must not be paid, or when a setting is missing
 */
export async function makePaymentFile(db: Db, sealer: Sealer, wanted: WantedFile): Promise<PaymentFile> {
  const { publisherId, payoutId, kind, part, executionDay } = wanted;
  if (executionDay !== null && !isDay(executionDay))
    throw new Refusal('InvalidInput', 'This day does not exist. Enter a day such as 2026-12-15.', {
      path: ['executionDay'],
    });
  const payout = await readPayable(db, publisherId, payoutId);
  const settings = await readPayeeSettings(db, publisherId);
  const totals = await readKindTotals(db, { publisherId, batchId: payout.batchId });
  const parts = partsOf(kind, totals.find((each) => each.kind === kind)?.lineCount ?? 0);
  if (part > parts)
    throw new Refusal(
      'NotFound',
      parts === 0
        ? `No line of payout ${payout.batchId} is paid with this method.`
        : `Payout ${payout.batchId} has ${parts} file(s) of this kind.`,
    );
  const problem = problemOf(kind, settings);
  if (problem !== null) throw new Refusal('Conflict', problem);
  return makeFile(db, sealer, wanted, { payout, settings, parts });
}

async function makeFile(
  db: Db,
  sealer: Sealer,
  { publisherId, kind, part, executionDay }: WantedFile,
  { payout, settings, parts }: { payout: PayoutBatch; settings: PayeeSettings; parts: number },
): Promise<PaymentFile> {
  const count = maxLines[kind];
  const range = { kind, from: (part - 1) * count, count };
  const lines = await readLines(db, sealer, { publisherId, batchId: payout.batchId }, range);
  const text = format(kind, lines, payout, {
    ...settings,
    messageId: `PAYOUT-${payout.number}-${part}`,
    executionDay: executionDay ?? payout.createdAt.toISOString().slice(0, 10),
  });
  return {
    kind,
    part,
    parts,
    fileName: `payout-${payout.number}-${kind}${parts > 1 ? `-${part}-of-${parts}` : ''}.${kind === 'sepa' ? 'xml' : 'csv'}`,
    lineCount: lines.length,
    sumMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    sha256: createHash('sha256').update(text).digest('hex'),
    text,
  };
}

function format(
  kind: MethodKind,
  lines: readonly PaymentLine[],
  payout: PayoutBatch,
  settings: PayeeSettings & { messageId: string; executionDay: string },
): string {
  switch (kind) {
    case 'paypal':
      return paypalFile(lines, payout, settings);
    case 'wise-email':
      return wiseFile(lines, payout, settings);
    case 'sepa': {
      const { debtor } = settings;
      if (debtor === null) throw new Error('a SEPA file was made without a debtor');
      return pain001(lines, payout, { ...settings, debtor });
    }
  }
}

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

const partsOf = (kind: MethodKind, lineCount: number): number => Math.ceil(lineCount / maxLines[kind]);

function problemOf(kind: MethodKind, { wiseHeader, debtor }: PayeeSettings): string | null {
  if (kind === 'wise-email' && wiseHeader === null)
    return 'Wise accepts only its own columns. Copy the first line of your “Send by email” template to the payment settings.';
  if (kind === 'sepa' && debtor === null)
    return 'A SEPA file names the account that pays. Enter its holder and IBAN in the payment settings.';
  return null;
}

/** Reads a payout, and rejects one that must not be paid, because a canceled payout is easily overlooked. */
async function readPayable(db: Db, publisherId: string, payoutId: string): Promise<PayoutBatch> {
  const payout = await getPayout(db, publisherId, payoutId);
  if (payout.status === 'Created' || payout.status === 'Paid') return payout;
  throw new Refusal(
    'Conflict',
    payout.status === 'Preparing'
      ? `Payout ${payout.batchId} is still being created. Download its files when it is done.`
      : `Payout ${payout.batchId} was canceled, so it has no payment files.`,
  );
}
