import { sqlState } from './database/database-errors.ts';
import { type InputPath, Refusal, refusingAt } from './refusal.ts';

const transactionAborted = '25P02';
const maxCollected = 100;

/**
 * Collects the refusals for an input with many parts, to report them together. A rejected part is skipped and the next
 * one is processed. At the end, `throwAny` aborts the transaction if any part was rejected.
 */
export class CollectedRefusals {
  readonly #refusals: Refusal[] = [];

  /** @returns the result, or undefined if the part was rejected */
  async at<Result>(path: InputPath, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await refusingAt(path, work);
    } catch (error) {
      // A constraint rejected an earlier part, so PostgreSQL rejects all further statements in this transaction.
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

  /** Throws if any part was refused. @throws Refusal for the first refused part, with the other refusals attached */
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
