import type { FastifyRequest } from 'fastify';
import type { CreatorGroup, Programmes } from '../publishers/programmes.ts';
import { type Refusal, resolveGroup } from '../publishers/resolve-group.ts';
import { principalOf } from './require-key.ts';

/**
 * The group that a request is about, by its key and the `groupId` it asks for.
 * @throws ApiError InvalidGroup, in the form the operation names
 */
export function groupOfRequest(
  programmes: Programmes,
  request: FastifyRequest,
  asked: string | undefined,
  refusal: Refusal,
): Promise<CreatorGroup> {
  const { publisherId, groupId } = principalOf(request);
  return resolveGroup(programmes, publisherId, groupId, asked, refusal);
}
