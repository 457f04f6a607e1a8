import type { TierId } from '../../src/platform/database/tables.generated.ts';
import type { Life, Surroundings } from './life.ts';
import { expectAllListed, expectListed } from './listed.ts';
import type { GroupModel } from './model.ts';
import { finishPayout, makePayout, payEverything, showPayout } from './payout-steps.ts';
import { changeTerms, claim, editSchedule, editShares } from './program-steps.ts';
import { clawBack, patch, record } from './purchase-steps.ts';
import { randomOf } from './random.ts';

type Step = (life: Life) => Promise<void>;

/** What may go on while rows are posted: their shares are decided, and what of them is reversed nets to zero. */
const stepsBesidePosting: readonly Step[] = [record, record, record, patch, editSchedule, editShares];

const steps: readonly Step[] = [
  ...[record, record, record, record],
  ...[patch, patch, patch],
  ...[editSchedule, editSchedule, editShares, changeTerms, claim],
  ...[showPayout, makePayout, payEverything, payEverything, finishPayout, finishPayout],
  ...[clawBack, clawBack],
];

/** One group's life: every step is done to the service and to the model, and said in the log. */
export class History {
  readonly #life: Life;
  readonly #seed: number;

  /** @param seed decides every step of it, whatever else is run, or left out */
  constructor(group: GroupModel, tierId: TierId, around: Surroundings, seed: number) {
    const { db } = around.service.testDatabase.database;
    this.#seed = seed;
    this.#life = {
      around,
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
      !(step === finishPayout && group.batches.length === 0) &&
      !(step === claim && group.claimer !== null);
    await (isPossible ? step : record)(life);
  }

  /** Something that may go on while rows are posted. */
  async stepWhilePosting(round: number): Promise<void> {
    const life = this.#life;
    life.random = randomOf(this.#seed, round, 1);
    life.log.push(`round ${round}, while rows are posted:`);
    await (life.group.purchases.length > 0 ? life.random.pick(stepsBesidePosting) : record)(life);
  }

  /** From now on everything recorded so far is posted. */
  posted(): void {
    this.group.post();
    this.#life.log.push('posted');
  }

  /** A page, its count, and now and then what is due are as the model says. */
  async expectShown(): Promise<void> {
    const life = this.#life;
    const { service, key } = life.around;
    const { random, group } = life;
    if (group.purchases.length === 0) return;
    await expectListed({ url: service.url, key }, group, random);
    if (random.oneIn(3)) await showPayout(life);
  }

  async expectAllShown(): Promise<void> {
    const life = this.#life;
    const { service, key } = life.around;
    if (this.group.purchases.length === 0) return;
    await expectAllListed({ url: service.url, key }, this.group, life.random);
    await showPayout(life);
  }
}
