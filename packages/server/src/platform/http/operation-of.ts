import type { FastifyRequest } from 'fastify';

/** Returns the name of the request's operation: its operationId, or the path of its route. */
export function operationOf(request: FastifyRequest): string {
  const { schema, url } = request.routeOptions;
  const { operationId } = (schema ?? {}) as { operationId?: string };
  return operationId ?? (request.is404 ? 'none' : (url ?? 'none'));
}
