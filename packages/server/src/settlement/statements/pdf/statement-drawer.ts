import { Refusal } from '../../../platform/refusal.ts';
import { BoundedTurns } from '../../../platform/work/bounded-turns.ts';
import type { Statement } from '../statement.ts';
import { drawStatement } from './statement-pdf.ts';

/** Limits for drawing, which runs in the thread that answers requests. */
const bounds = { maxRunning: 1, maxWaiting: 20, maxWaitMs: 5_000 };

/** Draws one file at a time. The others wait, and too many of them are rejected. */
export class StatementDrawer {
  readonly #turns = new BoundedTurns(bounds);

  /** @throws Refusal Unavailable */
  draw(statement: Statement): Promise<Buffer> {
    return this.#turns.run(tooMany, () => drawStatement(statement));
  }
}

const tooMany = (): Error =>
  new Refusal('Unavailable', 'Too many files are being created right now. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
