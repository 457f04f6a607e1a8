import type { Db } from '../platform/database/database.ts';
import { type LedgerVerdict, type Progress, verifyLedgerSince } from '../settlement/verify/verify-ledger.ts';
import type { CommandTools } from './command-tools.ts';

export interface VerifyLedgerOptions {
  all?: boolean;
  publisher?: string;
  json?: boolean;
}

/** To somebody who watches, and to a log. */
const tellEveryMs = { terminal: 1_000, log: 60_000 };

/** @returns whether every balance is explained */
export async function verifyLedgerCommand(
  db: Db,
  { all = false, publisher, json = false }: VerifyLedgerOptions,
  { print, warn, isWatched }: CommandTools,
): Promise<boolean> {
  const everyMs = isWatched ? tellEveryMs.terminal : tellEveryMs.log;
  let toldAt = performance.now();
  const onProgress = (progress: Progress): void => {
    if (performance.now() - toldAt < everyMs) return;
    toldAt = performance.now();
    warn(inWords(progress));
  };
  const verdict = await verifyLedgerSince(db, {
    publisherId: publisher ?? null,
    all,
    keeps: true,
    ...(!json && { onProgress }),
  });
  if (json) print(JSON.stringify(verdict));
  else for (const line of verdictInWords(verdict)) print(line);
  return verdict.isSound;
}

function inWords({ publisherId, publisher, ofPublishers, rows, ofRows }: Progress): string {
  const percent = ofRows === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / ofRows));
  return `${percent} % of publisher ${publisherId} (${publisher} of ${ofPublishers}): ${grouped(rows)} of about ${grouped(ofRows)} rows read`;
}

function verdictInWords(verdict: LedgerVerdict): string[] {
  if (!verdict.isSound)
    return [
      `NOT EXPLAINED: ${verdict.row} of publisher ${verdict.publisherId} breaks the rule that ${verdict.rule}.`,
    ];
  const { entries, balances, days, ofDays, payouts, ofPayouts, rows } = verdict;
  const rest =
    days < ofDays || payouts < ofPayouts
      ? '; the rest has not moved since it was found sound (--all looks at it, too)'
      : '';
  return [
    `Every balance is explained: ${entries} entries, ${balances} balances.`,
    `Looked at ${grouped(days)} of ${grouped(ofDays)} days, ${grouped(payouts)} of ${grouped(ofPayouts)} payouts, ${grouped(rows)} rows${rest}.`,
  ];
}

const grouped = (count: number): string => count.toLocaleString('en-US');
