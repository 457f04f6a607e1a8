import { fewAtOnce } from '../../../platform/work/few-at-once.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState, EndedAttempt } from '../delivery-state.ts';
import { saveAttempts } from './save-attempts.ts';

const queriesAtOnce = 4;
const saveEveryMs = 15;
const pauseAfterFailureMs = 500;
const savedAtOnce = 500;
const saveAttemptsMost = 10;

/**
 * The loop that saves how attempts ended since the last time, publisher by publisher.
 * @returns one round of it, which says how long to wait before the next, in milliseconds
 */
export function savingEnded(
  { statements, onError }: Pick<DeliveryOptions, 'statements' | 'onError'>,
  state: DeliveryState,
): () => Promise<number> {
  let failedRounds = 0;
  return async () => {
    const batches = state
      .takeEnded()
      .flatMap(([publisherId, ended]) => chunks(ended, savedAtOnce).map((chunk) => ({ publisherId, chunk })));
    let hasFailed = false;
    await fewAtOnce(batches, queriesAtOnce, async ({ publisherId, chunk }) => {
      try {
        await saveAttempts(statements, state.workerId, publisherId, chunk);
      } catch (error) {
        onError(error);
        hasFailed = true;
        if (failedRounds < saveAttemptsMost) {
          state.end(publisherId, ...chunk);
          return;
        }
      }
      // Saved, or given up: then it is found to be lost, and is sent again.
      for (const { delivery } of chunk) state.letGo(delivery);
    });
    failedRounds = hasFailed ? failedRounds + 1 : 0;
    return hasFailed ? pauseAfterFailureMs : saveEveryMs;
  };
}

function chunks(items: readonly EndedAttempt[], size: number): EndedAttempt[][] {
  const found: EndedAttempt[][] = [];
  for (let start = 0; start < items.length; start += size) found.push(items.slice(start, start + size));
  return found;
}
