import type { RecordQueue } from '../../attributions/record/record-queue.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Programs } from '../../publishers/programs.ts';
import type { ClawbackOutcome, PurchaseClawback } from '../../settlement/claw-back/claw-back-purchase.ts';
import type { PurchaseRefund } from '../../settlement/refunds/read-refunds.ts';
import type { RefundRequest } from '../../settlement/refunds/refund-purchase.ts';
import type { PurchaseReinstatement } from '../../settlement/reinstatements/read-reinstatement.ts';
import type { ReinstatementRequest } from '../../settlement/reinstatements/reinstate-refund.ts';

/** Operations that events are turned into: those of the API. */
export interface EventOperations {
  refundPurchase(db: Db, actor: Actor, request: RefundRequest): Promise<PurchaseRefund>;
  reinstateRefund(db: Db, actor: Actor, request: ReinstatementRequest): Promise<PurchaseReinstatement>;
  clawBackPurchase(db: Db, actor: Actor, request: PurchaseClawback): Promise<ClawbackOutcome[]>;
}

export interface EventDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
  recordQueue: Pick<RecordQueue, 'record'>;
  operations: EventOperations;
  /** Called with the status and reason of each event that was worked on. */
  onFinished(status: string, reason: string): void;
}
