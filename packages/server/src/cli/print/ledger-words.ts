import type { LedgerVerdict } from '../../settlement/verify/verify-ledger.ts';
import { grouped } from './grouped.ts';

/** What a proof of the ledger came to, a line each. */
export function ledgerWords(verdict: LedgerVerdict): string[] {
  if (!verdict.isSound)
    return [
      `NOT EXPLAINED: ${verdict.row} of publisher ${verdict.publisherId} breaks the rule that ${verdict.rule}.`,
      ...(verdict.rows.length > 0 ? [`Some of its rows: ${verdict.rows.join(', ')}.`] : []),
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
