import { overwriteRow } from './attributions/overwrite-row.ts';
import { countRows } from './bounties/count/count-rows.ts';
import { mergeProgress } from './bounties/count/merge-progress.ts';
import { uncountRow } from './bounties/count/uncount-row.ts';
import { linkAccount } from './linking/link-account.ts';
import type { Clock } from './platform/clock.ts';
import { clawBack, type SetStatus } from './settlement/claw-back.ts';
import { markPayoutPaid } from './settlement/payouts/mark-payout-paid.ts';
import { reversePayment, type UncountRow } from './settlement/reverse-payment.ts';
import { settleRows } from './settlement/settle/settle-rows.ts';

/** What is left to say to an operation when the parts that other rooms give it are there. */
type Rest<Operation> = Operation extends (given: never, ...rest: infer Said) => unknown ? Said : never;

export type Operations = ReturnType<typeof composeOperations>;

/**
 * The operations that need a room which comes after their own, with what that room gives them: wired here, once, for
 * the API, the workers, the commands, the demo and the tests.
 */
export function composeOperations(clock: Clock) {
  const uncount: UncountRow = (...row) => uncountRow(...row, clock.now());
  const setStatus: SetStatus = async (tx, publisherId, attributionId, status) => {
    await overwriteRow(tx, publisherId, attributionId, { status, playerId: null });
  };
  return {
    settleRows: (...said: Rest<typeof settleRows>) => settleRows({ countRows }, ...said),
    reversePayment: (...said: Rest<typeof reversePayment>) =>
      reversePayment({ uncountRow: uncount }, ...said),
    markPayoutPaid: (...said: Rest<typeof markPayoutPaid>) => markPayoutPaid({ clock }, ...said),
    clawBack: (...said: Rest<typeof clawBack>) => clawBack({ setStatus, uncountRow: uncount }, ...said),
    linkAccount: (...said: Rest<typeof linkAccount>) => linkAccount({ mergeProgress }, ...said),
  };
}
