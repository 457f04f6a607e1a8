import { sqlState } from './database/database-errors.ts';
import { type InputPath, Refusal, refusingAt } from './refusal.ts';

const transactionAborted = '25P02';
const maxCollected = 100;

/**
 * Refusals of an input with many parts, reported together. A refused part is skipped and the next one is tried; at the end
 * `throwAny` aborts the transaction if there were any.
 */
export class CollectedRefusals {
  readonly #refusals: Refusal[] = [];

  /**
   * Processes the part of the input at the path.
   * @returns the result; undefined when the part was refused
   */
  async at<Result>(path: InputPath, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await refusingAt(path, work);
    } catch (error) {
      // A constraint rejected an earlier part, and PostgreSQL runs no more statements in this transaction.
      if (sqlState(error) === transactionAborted) this.throwAny();
      if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error;
      this.add(error);
      return undefined;
    }
  }

  add(refusal: Refusal): void {
    this.#refusals.push(refusal);
    if (this.#refusals.length === maxCollected) this.throwAny();
  }

  /** Throws if there were refusals. @throws Refusal for the first one, with the others attached */
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
