import type { TierId } from '../../src/platform/database/tables.generated.ts';
import { gate, leaveGate } from './gate-steps.ts';
import { hold, release } from './hold-steps.ts';
import type { Context, Life } from './life.ts';
import { expectAllListed, expectListed } from './listed.ts';
import { changeMethod, leaveMethod } from './method-steps.ts';
import type { GroupModel } from './model.ts';
import { finishPayout, makePayout, payEverything, setLineResult, showPayout } from './payout-steps.ts';
import { changeTerms, claim, editSchedule, editShares } from './program-steps.ts';
import { clawBack, patch, record, refund } from './purchase-steps.ts';
import { randomOf } from './random.ts';
import { reinstate } from './reinstate-steps.ts';

type Step = (life: Life) => Promise<void>;

/**
 * Steps that may run while rows are being posted. The rows' shares are already decided, and reversals cancel
 * out.
 */
const stepsDuringPosting: readonly Step[] = [
  ...[record, record, record, patch],
  ...[refund, editSchedule, editShares],
  ...[hold, release, reinstate],
  ...[gate, leaveGate, changeMethod, leaveMethod],
];

const steps: readonly Step[] = [
  ...[record, record, record, record],
  ...[patch, patch, refund, refund, refund],
  ...[editSchedule, editSchedule, editShares, changeTerms, claim],
  ...[showPayout, makePayout, payEverything, payEverything, finishPayout, finishPayout],
  ...[setLineResult, setLineResult],
  ...[clawBack, clawBack, clawBack],
  ...[reinstate, reinstate, reinstate],
  ...[hold, hold, release, release],
  ...[gate, gate, leaveGate, changeMethod, changeMethod, leaveMethod],
];

/** History of one group. Runs every step both on the service and on the model, and logs it. */
export class History {
  readonly #life: Life;
  readonly #seed: number;

  /** @param seed determines every step, regardless of what else runs or is skipped */
  constructor(group: GroupModel, tierId: TierId, context: Context, seed: number) {
    const { db } = context.service.testDatabase.database;
    this.#seed = seed;
    this.#life = {
      context,
      db,
      group,
      tierId,
      purchaseIds: [],
      log: [],
      random: randomOf(seed),
      preview: null,
    };
  }

  get group(): GroupModel {
    return this.#life.group;
  }

  get log(): readonly string[] {
    return this.#life.log;
  }

  async step(round: number): Promise<void> {
    const life = this.#life;
    const { group } = life;
    life.random = randomOf(this.#seed, round, 0);
    life.log.push(`round ${round}:`);
    const step = life.random.pick(steps);
    const isPossible =
      group.purchases.length > 0 &&
      !((step === finishPayout || step === setLineResult) && group.batches.length === 0) &&
      !(step === claim && group.creators.claimer !== null);
    await (isPossible ? step : record)(life);
  }

  /** Runs a step that may run while rows are being posted. */
  async stepWhilePosting(round: number): Promise<void> {
    const life = this.#life;
    life.random = randomOf(this.#seed, round, 1);
    life.log.push(`round ${round}, while rows are posted:`);
    await (life.group.purchases.length > 0 ? life.random.pick(stepsDuringPosting) : record)(life);
  }

  posted(): void {
    this.group.post();
    this.#life.log.push('posted');
  }

  /** Compares a page of transactions and its count with the model, and sometimes a preview. */
  async expectShown(): Promise<void> {
    const life = this.#life;
    const { service, key } = life.context;
    const { random, group } = life;
    if (group.purchases.length === 0) return;
    await expectListed({ url: service.url, key }, group, random);
    if (random.oneIn(3)) await showPayout(life);
  }

  async expectAllShown(): Promise<void> {
    const life = this.#life;
    const { service, key } = life.context;
    if (this.group.purchases.length === 0) return;
    await expectAllListed({ url: service.url, key }, this.group, life.random);
    await showPayout(life);
  }
}
