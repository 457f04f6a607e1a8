import { Refusal } from '../../../platform/refusal.ts';

/** Number of files that a process draws at a time. Drawing takes about 0.1 s of the process's time. */
const maxAtOnce = 2;
const maxWaiting = 20;

/** Draws two files at a time. The others wait, and too many of them are rejected. */
export class PdfQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws Refusal Unavailable */
  async run<Result>(draw: () => Promise<Result>): Promise<Result> {
    if (this.#running >= maxAtOnce) {
      if (this.#waiting.length >= maxWaiting)
        throw new Refusal(
          'Unavailable',
          'Too many files are being created right now. Try again in a few seconds.',
          { retryAfterSeconds: 5 },
        );
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await draw();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
