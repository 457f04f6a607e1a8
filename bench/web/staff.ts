import { invite } from '../../packages/server/src/accounts/people/invite.ts';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { publisherId } from './fill.ts';

/** Signed-in staff member, with the headers that a browser sends from our pages. */
export interface Staff {
  url: string;
  cookie: { name: string; value: string };
  /** Sends a request to a path under the publisher's path. @throws Error unless the response is 200 */
  ask(path: string): Promise<Response>;
}

/** Invites an owner, and accepts the invitation with a password. */
export async function signIn(url: string, { db }: Database, name: string): Promise<Staff> {
  const email = `${name}@example.com`;
  const { token } = await invite(db, serviceActor, { publisherId, email, role: 'owner' }, new Date());
  const browser = { origin: url, 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`${url}/admin/v1/auth/invitation/accept-as-new`, {
    method: 'POST',
    headers: { ...browser, 'content-type': 'application/json' },
    body: JSON.stringify({ token, name, password: `a password of ${name}` }),
  });
  const [pair = ''] = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  if (response.status !== 200 || pair === '')
    throw new Error(`${name} could not sign in: ${response.status} ${await response.text()}`);
  const at = pair.indexOf('=');
  const headers = { ...browser, cookie: pair };
  return {
    url,
    cookie: { name: pair.slice(0, at), value: pair.slice(at + 1) },
    async ask(path) {
      const answer = await fetch(`${url}/admin/v1/publishers/${publisherId}${path}`, {
        headers,
        signal: AbortSignal.timeout(300_000),
      });
      if (answer.status !== 200)
        throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
      return answer;
    },
  };
}
