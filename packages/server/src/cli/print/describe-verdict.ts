import type { LedgerVerdict } from '../../settlement/verify/verify-ledger.ts';
import { grouped } from './grouped.ts';

export function describeVerdict(verdict: LedgerVerdict): string[] {
  if (!verdict.isSound)
    return [
      `DISCREPANCY: ${verdict.row} of publisher ${verdict.publisherId} breaks the rule that ${verdict.rule}.`,
      ...(verdict.rows.length > 0 ? [`Some of its rows: ${verdict.rows.join(', ')}.`] : []),
    ];
  const { entries, balances, days, ofDays, payouts, ofPayouts, rows } = verdict;
  const rest =
    days < ofDays || payouts < ofPayouts
      ? '; the rest has not changed since its last verification (--all checks it too)'
      : '';
  return [
    `The ledger is correct: ${entries} entries, ${balances} balances.`,
    `Checked ${grouped(days)} of ${grouped(ofDays)} days, ${grouped(payouts)} of ${grouped(ofPayouts)} payouts, ${grouped(rows)} rows${rest}.`,
  ];
}
