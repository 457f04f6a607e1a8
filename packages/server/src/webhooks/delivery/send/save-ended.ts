import { fewAtOnce } from '../../../platform/work/few-at-once.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState, EndedAttempt } from '../delivery-state.ts';
import { saveAttempts } from './save-attempts.ts';

const queriesAtOnce = 4;
const saveEveryMs = 15;
const pauseAfterFailureMs = 500;
const savedAtOnce = 500;
const maxSaveRetries = 10;

/**
 * Creates the loop that saves ended attempts, publisher by publisher.
 * @returns a function that runs one round and returns the pause before the next, in milliseconds
 */
export function createEndedSaver(
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
        if (failedRounds < maxSaveRetries) {
          state.addEnded(publisherId, ...chunk);
          return;
        }
      }
      // The attempts were saved or abandoned. Abandoned deliveries are later found to be lost, and are sent again.
      for (const { delivery } of chunk) state.remove(delivery);
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
