import type { RawBuilder } from 'kysely';
import { startTurns } from '../platform/work/publisher-turns.ts';
import { type RestingWorker, startRepeating } from '../platform/work/repeat.ts';
import type { Notifier } from './notifier.ts';

/** Time between two checks for incidents. It is short enough that staff are notified within seconds. */
const detectEveryMs = 10_000;
const sendEveryMs = 1_000;

export interface NotificationWorker extends RestingWorker {
  waits(): RawBuilder<unknown>;
}

/** Starts the loops that detect incidents and send notifications. */
export function startNotifications(
  notifier: Notifier,
  onError: (error: unknown) => void,
): NotificationWorker {
  const sending = startTurns({
    publishers: notifier.duePublishers,
    work: notifier.sendDue,
    intervalMs: sendEveryMs,
    onDone: () => undefined,
    onError,
  });
  const detecting = startRepeating(async (stopping) => {
    for (const publisherId of await notifier.changedPublishers()) {
      if (stopping.aborted) break;
      // A failure at one publisher must not delay the others.
      const count = await notifier.detect(publisherId).catch((error) => {
        onError(error);
        return 0;
      });
      if (count > 0) sending.wake();
    }
    return detectEveryMs;
  }, onError);
  return {
    waits: notifier.waits,
    wake: () => sending.wake(),
    async stop() {
      await Promise.all([sending.stop(), detecting.stop()]);
    },
  };
}
