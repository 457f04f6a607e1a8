import { sqlState } from './database/database-errors.ts';
import { type InputPath, Refusal, refusingAt } from './refusal.ts';

const transactionIsLost = '25P02';
const maxCollected = 100;

/**
 * Refusals of an input with many parts, reported all at once. A refused part is skipped and the next one is tried; at the
 * end `throwAny` ends their transaction.
 */
export class CollectedRefusals {
  readonly #refusals: Refusal[] = [];

  /**
   * Runs what works on the part of the input at a path.
   * @returns its result; undefined when it was refused
   */
  async at<Result>(path: InputPath, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await refusingAt(path, work);
    } catch (error) {
      // A constraint refused the part before, and PostgreSQL does no more in this transaction.
      if (sqlState(error) === transactionIsLost) this.throwAny();
      if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error;
      this.add(error);
      return undefined;
    }
  }

  add(refusal: Refusal): void {
    this.#refusals.push(refusal);
    if (this.#refusals.length === maxCollected) this.throwAny();
  }

  /** @throws Refusal with everything that was refused, the first first */
  throwAny(): void {
    const [first, ...rest] = this.#refusals;
    if (first === undefined) return;
    const { code, message, path, cause } = first;
    throw new Refusal(code, message, {
      ...(path !== null && { path }),
      others: [...first.others, ...rest.flatMap((each) => [each, ...each.others])],
      cause,
    });
  }
}
