import { Refusal } from '../../../platform/refusal.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';

/** Amounts due at a preview's cutoff, as far as they can still be calculated. */
export interface PreviewedPlan {
  scope: PayoutScope;
  payables: PlannedPayable[];
}

export type ChangeCause = 'members' | 'payout' | 'terms';

/** Refusal for a preview that can no longer be paid as shown. Nothing was paid. */
export class PreviewOutdated extends Refusal {
  readonly changeCause: ChangeCause;
  /** Payout created since the preview; null if there is none. */
  readonly payoutId: string | null;
  readonly plan: PreviewedPlan | null;

  constructor(
    message: string,
    details: { changeCause: ChangeCause; payoutId?: string; plan?: PreviewedPlan },
  ) {
    super('Conflict', message);
    this.changeCause = details.changeCause;
    this.payoutId = details.payoutId ?? null;
    this.plan = details.plan ?? null;
  }
}
