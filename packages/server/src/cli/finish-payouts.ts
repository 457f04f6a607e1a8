import { composeOperations } from '../composition.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { cancelPayout, markPayoutPaid } from '../settlement/payouts/finish-payout.ts';
import { getPayout } from '../settlement/payouts/read-payouts.ts';
import type { Reversal } from '../settlement/reverse-payment.ts';
import { toJson } from './money.ts';

type Print = (line: string) => void;

interface Options {
  publisher: string;
  json?: boolean;
}

export async function markPaidCommand(
  db: Db,
  { publisher, json }: Options,
  payoutId: string,
  printDone: Print,
): Promise<void> {
  await markPayoutPaid(db, publisher, payoutId, systemClock.now());
  printDone(json ? toJson(await getPayout(db, publisher, payoutId)) : `Payout ${payoutId} is paid.`);
}

export async function cancelPayoutCommand(
  db: Db,
  { publisher, json }: Options,
  payoutId: string,
  printDone: Print,
): Promise<void> {
  await cancelPayout(db, publisher, payoutId);
  printDone(
    json
      ? toJson(await getPayout(db, publisher, payoutId))
      : `Payout ${payoutId} is cancelled; its rows can be paid again.`,
  );
}

export async function clawBackCommand(
  db: Db,
  { publisher, status, json }: Options & { status: Reversal },
  rowId: string,
  printDone: Print,
): Promise<void> {
  const { amountMinor, currency } = await composeOperations(systemClock).clawBack(
    db,
    publisher,
    rowId,
    status,
  );
  printDone(
    json
      ? toJson({ rowId, status, currency, amountMinor })
      : `The money of ${rowId}, ${formatMinorUnits(amountMinor, currency)} ${currency}, is taken back with the member's next payout.`,
  );
}
