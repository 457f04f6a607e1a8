import { Refusal } from '../../../platform/refusal.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';

/** Members as they were due at a preview's moment, as far as that is still known. */
export interface DueThen {
  scope: PayoutScope;
  payables: PlannedPayable[];
}

export type ChangeCause = 'members' | 'payout' | 'terms';

/** Refusal of a preview that can't be paid as it was. Nothing was paid. */
export class PreviewOver extends Refusal {
  readonly changeCause: ChangeCause;
  /** Another payout that was made since. */
  readonly payoutId: string | null;
  readonly plan: DueThen | null;

  constructor(message: string, details: { changeCause: ChangeCause; payoutId?: string; plan?: DueThen }) {
    super('Conflict', message);
    this.changeCause = details.changeCause;
    this.payoutId = details.payoutId ?? null;
    this.plan = details.plan ?? null;
  }
}
