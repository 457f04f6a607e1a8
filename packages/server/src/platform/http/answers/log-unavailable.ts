import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operationOf } from '../operation-of.ts';

const maxLines = 10;
/**
 * Maximum number of kinds counted per second. A kind contains a reason, which may quote a value, so there could
 * otherwise be any number of them.
 */
const maxKinds = 20;
const spanMs = 1_000;

const others = { operation: 'others', reason: 'others' };

interface Kind {
  operation: string;
  reason: string;
  count: number;
}

/** Logs 503 responses: up to ten lines per second, followed by a line that counts the rest by operation and reason. */
export function logUnavailable(app: FastifyInstance): (request: FastifyRequest, error: Error) => void {
  let lines = 0;
  let counted = new Map<string, Kind>();
  let timer: NodeJS.Timeout | null = null;

  const endSpan = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    lines = 0;
    const unavailable = [...counted.values()];
    counted = new Map();
    const count = unavailable.reduce((sum, kind) => sum + kind.count, 0);
    if (count > 0) app.log.warn({ unavailable }, `${count} more requests got 503 within a second`);
  };
  app.addHook('onClose', async () => endSpan());

  return (request, { message: reason }) => {
    timer ??= setTimeout(endSpan, spanMs).unref();
    const operation = operationOf(request);
    if (lines < maxLines) {
      lines += 1;
      request.log.warn({ operation, reason }, 'responded 503');
      return;
    }
    const isOther = counted.size >= maxKinds && !counted.has(`${operation} ${reason}`);
    const name = isOther ? 'others' : `${operation} ${reason}`;
    const known = counted.get(name) ?? { operation, reason, ...(isOther && others), count: 0 };
    counted.set(name, { ...known, count: known.count + 1 });
  };
}
