import { type Role, roles } from '../src/accounts/roles.ts';
import { createToken } from '../src/accounts/tokens/create-token.ts';
import { testActor } from './test-actor.ts';
import type { Answer, TestService } from './test-service.ts';

/**
 * Sends a request to a path under `/admin/v1/publishers/:publisherId`, or to the path as given if it starts
 * with `/admin/`. The response is checked against the admin API's document.
 */
export type Asking = (method: string, path: string, json?: unknown) => Promise<Answer>;

let tokens = 0;

/** Returns a function that sends requests with a new operator token for a role. */
export async function asRole(service: TestService, role: Role, publisherId = 'aurora'): Promise<Asking> {
  tokens += 1;
  const { token } = await createToken(
    service.testDatabase.database.db,
    testActor,
    { publisherId, name: `${role} ${tokens}`, role, expiresAt: new Date(Date.now() + 3_600_000) },
    new Date(),
  );
  return (method, path, json) =>
    service.call(
      method,
      path.startsWith('/admin/') ? path : `/admin/v1/publishers/${encodeURIComponent(publisherId)}${path}`,
      { key: null, headers: { authorization: `Bearer ${token}` }, ...(json !== undefined && { json }) },
    );
}

/** Returns a function for each role that sends requests with that role. */
export async function asEveryRole(
  service: TestService,
  publisherId = 'aurora',
): Promise<Record<Role, Asking>> {
  const all = await Promise.all(
    roles.map(async (role) => [role, await asRole(service, role, publisherId)] as const),
  );
  return Object.fromEntries(all) as Record<Role, Asking>;
}
