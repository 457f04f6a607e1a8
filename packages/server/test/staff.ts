import { createHmac } from 'node:crypto';
import { acceptAs } from '../src/accounts/people/accept-invitation.ts';
import { invite } from '../src/accounts/people/invite.ts';
import type { Role } from '../src/accounts/roles.ts';
import { newRowId, randomBase62 } from '../src/platform/ids.ts';
import { serviceSecret } from '../src/platform/secrets/service-secret.ts';
import type { Asking } from './admin.ts';
import { testSealer } from './sealer.ts';
import { testActor } from './test-actor.ts';
import type { TestService } from './test-service.ts';

export interface SignedInPerson {
  userId: string;
  email: string;
  sessionId: string;
  /** Headers that a browser sends from our page: its cookie and origin. */
  headers: Record<string, string>;
  /** Cookie for a browser, used with `context.addCookies([cookie])`. */
  cookie: { name: string; value: string; url: string; httpOnly: true; sameSite: 'Lax' };
  /** Sends requests as a browser does. See `asRole` in admin.ts. */
  ask: Asking;
}

export interface SignInOptions {
  publisherId?: string;
  /** Email address of an existing person, to sign that person in to another publisher. */
  email?: string;
  name?: string;
  /** Time since the person confirmed their password. */
  confirmedMsAgo?: number;
  hasSecondFactor?: boolean;
}

/** Invites a person with a role, accepts the invitation and signs the person in, without hashing a password. */
export async function signIn(
  service: TestService,
  role: Role,
  options: SignInOptions = {},
): Promise<SignedInPerson> {
  const person = await signInAt(service, role, options);
  const { publisherId = 'aurora' } = options;
  return {
    ...person,
    ask: (method, path, json) =>
      service.call(
        method,
        path.startsWith('/admin/') ? path : `/admin/v1/publishers/${encodeURIComponent(publisherId)}${path}`,
        { key: null, headers: person.headers, ...(json !== undefined && { json }) },
      ),
  };
}

type Where = Pick<TestService, 'url' | 'testDatabase'>;

/** Invites and signs in a person on a service in another process. */
export async function signInAt(
  service: Where,
  role: Role,
  { publisherId = 'aurora', confirmedMsAgo = 0, hasSecondFactor = false, ...who }: SignInOptions = {},
): Promise<Omit<SignedInPerson, 'ask'>> {
  const { db } = service.testDatabase.database;
  const now = new Date();
  const email = who.email ?? `${role}.${randomBase62(8).toLowerCase()}@example.com`;
  const { token } = await invite(db, testActor, { publisherId, email, role }, now);
  const { id: userId } = await db
    .selectFrom('staff_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const name = who.name ?? `The ${role}`;
  await db.updateTable('staff_user').set({ name }).where('id', '=', userId).execute();
  await acceptAs(db, { token, now, source: {} }, { userId, email, name });
  return openSession(service, { userId, email, confirmedMsAgo, hasSecondFactor });
}

interface NewSession {
  userId: string;
  email: string;
  confirmedMsAgo: number;
  hasSecondFactor: boolean;
}

/** Signs a person in by inserting the session row that the library would insert. */
async function openSession(
  service: Where,
  { userId, email, confirmedMsAgo, hasSecondFactor }: NewSession,
): Promise<Omit<SignedInPerson, 'ask'>> {
  const { db } = service.testDatabase.database;
  const sessionId = newRowId();
  const token = randomBase62(32);
  await db
    .insertInto('staff_session')
    .values({
      id: sessionId,
      token,
      user_id: userId,
      expires_at: new Date(Date.now() + 7 * 86_400_000),
      confirmed_at: new Date(Date.now() - confirmedMsAgo),
      has_second_factor: hasSecondFactor,
    })
    .execute();
  const secret = (await serviceSecret(db, 'staff sessions', testSealer)).toString('base64');
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  const value = encodeURIComponent(`${token}.${signature}`);
  const headers = {
    cookie: `attribution=${value}`,
    origin: service.url,
    'sec-fetch-site': 'same-origin',
  };
  return {
    userId,
    email,
    sessionId,
    headers,
    cookie: { name: 'attribution', value, url: service.url, httpOnly: true, sameSite: 'Lax' },
  };
}
