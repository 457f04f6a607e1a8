import type { FastifyRequest } from 'fastify';

/** @returns what the documents call the operation that a request asks for: its operationId, or the path of its route */
export function operationOf(request: FastifyRequest): string {
  const { schema, url } = request.routeOptions;
  const { operationId } = (schema ?? {}) as { operationId?: string };
  return operationId ?? (request.is404 ? 'none' : (url ?? 'none'));
}
