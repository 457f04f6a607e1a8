import type { Socket } from 'node:net';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { App } from '../app-type.ts';

const checksPerTimeout = 15;
/**
 * Timeout while the service is stopping. A client that is gone looks like one that has paused, and would otherwise
 * delay the shutdown by the regular timeout.
 */
const whileStoppingMs = 2_000;

/**
 * Closes connections whose client hasn't read any of the pending data within the timeout, which is shorter while the
 * service is stopping.
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
 * Returns the number of bytes that the operating system hasn't accepted yet. Node counts an entire write as pending
 * until it is done. Only the handle knows a write's progress, and Node's own timeout uses it too.
 */
function queued(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
