import type { Socket } from 'node:net';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { App } from '../app-type.ts';

const checksPerTimeout = 15;
/**
 * Timeout while the service stops. A client that vanished looks the same as one that pauses, and would otherwise delay the
 * shutdown by the whole timeout.
 */
const whileStoppingMs = 2_000;

/**
 * Closes connections whose client has read nothing of the waiting data for the length of the timeout, or of a shorter one
 * while the service stops.
 */
export function endStalledAnswers(
  app: App,
  connections: ReadonlyMap<Socket, object>,
  metrics: Metrics,
  timeoutMs: number,
): void {
  let patienceMs = timeoutMs;
  let waiting = new Map<Socket, { queuedBytes: number; sinceMs: number }>();
  const check = (): void => {
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
  const startChecking = (): NodeJS.Timeout => setInterval(check, patienceMs / checksPerTimeout).unref();
  let timer = startChecking();
  app.addHook('preClose', async () => {
    patienceMs = Math.min(timeoutMs, whileStoppingMs);
    clearInterval(timer);
    timer = startChecking();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Returns the bytes that the system has not taken yet. Node counts a write as a whole until it is done; its progress is known
 * only to the handle, which Node's own timeout reads too.
 */
function queued(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
