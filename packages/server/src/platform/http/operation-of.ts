import type { FastifyRequest } from 'fastify';

/** Returns the operationId of the request's route, or the path if there is no operationId. */
export function operationOf(request: FastifyRequest): string {
  const { schema, url } = request.routeOptions;
  const { operationId } = (schema ?? {}) as { operationId?: string };
  return operationId ?? (request.is404 ? 'none' : (url ?? 'none'));
}
