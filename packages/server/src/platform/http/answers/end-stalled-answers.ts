import type { Socket } from 'node:net';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { App } from '../app-type.ts';

const looksPerTimeout = 15;
/**
 * While the service stops. A reader that has gone without a word cannot be told from one that pauses: it would hold up
 * the stop for the whole timeout, and with an answer as long as an export for as long as it is let.
 */
const whileStoppingMs = 2_000;

/**
 * Ends a connection whose reader has taken nothing of what is ready for it, for as long as the timeout, or a shorter one
 * when the service stops.
 */
export function endStalledAnswers(
  app: App,
  connections: ReadonlyMap<Socket, object>,
  metrics: Metrics,
  timeoutMs: number,
): void {
  let patienceMs = timeoutMs;
  let waiting = new Map<Socket, { queuedBytes: number; sinceMs: number }>();
  const look = (): void => {
    const nowMs = performance.now();
    const still: typeof waiting = new Map();
    for (const socket of connections.keys()) {
      const queuedBytes = queued(socket);
      if (queuedBytes === 0) continue;
      const before = waiting.get(socket);
      if (before?.queuedBytes !== queuedBytes) still.set(socket, { queuedBytes, sinceMs: nowMs });
      else if (nowMs - before.sinceMs < patienceMs) still.set(socket, before);
      else {
        metrics.refusedRequests.inc({ reason: 'slow_readers' });
        socket.destroy();
      }
    }
    waiting = still;
  };
  const lookOften = (): NodeJS.Timeout => setInterval(look, patienceMs / looksPerTimeout).unref();
  let timer = lookOften();
  app.addHook('preClose', async () => {
    patienceMs = Math.min(timeoutMs, whileStoppingMs);
    clearInterval(timer);
    timer = lookOften();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Bytes that the system has not taken yet. Node counts a write as a whole until it is done; how far it is within it
 * is known to the handle alone, which Node's own timeout looks at too.
 */
function queued(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
