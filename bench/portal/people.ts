import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { inTransaction } from '../../packages/server/src/platform/database/in-transaction.ts';
import { sessionCookie } from '../../packages/server/src/portal/portal-cookies.ts';
import { startSession } from '../../packages/server/src/portal/sessions.ts';
import { rotateSecret } from '../../packages/server/src/portal/stream-alert/rotate-secret.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import type { BenchService } from '../lib/bench-service.ts';
import type { LightPurchases } from '../web/light-load.ts';
import { soldNow } from './overlays.ts';

export const publisherId = 'bench';
/** Group of the creator with many purchases, who is its only member. */
export const starGroup = 'star';
export const star = 'acc_star';

const origin = 'http://localhost:9090';
/** Setting that turns the portal on. Requests of the benchmark need no mail. */
export const portalSettings = { PORTAL_URL: `${origin}/creators`, SMTP_URL: 'smtp://127.0.0.1:9' };

/** Creator who is signed in to the portal. */
export interface Creator {
  /** URL of the service, which also serves the pages. */
  url: string;
  cookie: { name: string; value: string };
  /** Sends a request to a path of the portal's API. @throws Error unless the response is 200 */
  ask(path: string): Promise<string>;
}

/** Makes the creator with many purchases, who owes and is owed nothing yet. */
export async function makeStar({ db }: Database): Promise<void> {
  const members = [{ id: star, playerId: 'p-star', codes: [{ code: 'STAR', primary: true }] }];
  const program = {
    publisher: { id: publisherId },
    groups: [{ id: starGroup, revShare: 10, holdDays: 10, members }],
  };
  await applyProgramFile(db, serviceActor, readProgramFile(JSON.stringify(program), 'portal.json'));
}

/** Adds a person for each account, as if a publisher had invited them. @returns the persons' ids */
async function addPeople({ client }: BenchService, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ user_id: string }>(
    `with person as (
       insert into portal_user (user_id, email, created_at)
       select 'user-' || account_id, account_id || '@example.com', now() from unnest($1::text[]) account_id
       returning user_id
     ), connected as (
       insert into portal_user_account (account_id, user_id, proof, proven_at)
       select account_id, 'user-' || account_id, 'invitation', now() from unnest($1::text[]) account_id
     )
     select user_id from person`,
    [accountIds],
  );
  return rows.map(({ user_id }) => user_id);
}

export async function signInStar(service: BenchService, { db }: Database): Promise<Creator> {
  const [userId = ''] = await addPeople(service, [star]);
  const browser = { address: '127.0.0.1', userAgent: 'bench', tokens: [] };
  const token = await inTransaction(db, (tx) =>
    startSession(tx, { userId, startedWith: null }, browser, new Date()),
  );
  const cookie = sessionCookie(origin, token).split(';')[0] ?? '';
  const [name = '', value = ''] = cookie.split('=');
  return {
    url: service.url,
    cookie: { name, value },
    async ask(path) {
      const response = await fetch(`${service.url}/portal/v1${path}`, {
        headers: { cookie, origin, 'sec-fetch-site': 'same-origin' },
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
      return text;
    },
  };
}

/** Creates a stream alert for each account. @returns their secrets */
export async function makeAlerts(
  service: BenchService,
  { db }: Database,
  accountIds: readonly string[],
): Promise<string[]> {
  const secrets: string[] = [];
  for (const userId of await addPeople(service, accountIds))
    secrets.push(await rotateSecret(db, { publisherId, userId }, new Date()));
  return secrets;
}

/** Group of creators who are credited only for the purchases that `sellOf` sends. */
const quietGroup = 'quiet';
const quietAccount = (n: number): string => `acc_quiet_${n}`;

/** Makes creators of a group of their own. @returns their accounts */
export async function makeQuiet({ db }: Database, count: number): Promise<string[]> {
  const accountIds = Array.from({ length: count }, (_, n) => quietAccount(n));
  const members = accountIds.map((id, n) => ({
    id,
    playerId: `p-quiet-${n}`,
    codes: [{ code: `QUIET${n}`, primary: true }],
  }));
  const program = { publisher: { id: publisherId }, groups: [{ id: quietGroup, revShare: 10, members }] };
  await applyProgramFile(db, serviceActor, readProgramFile(JSON.stringify(program), 'portal.json'));
  return accountIds;
}

/** Returns the purchases of a load for these creators: each gets one in turn. */
export function sellOf(count: number): LightPurchases {
  let sent = 0;
  return {
    groupId: quietGroup,
    next: () => {
      sent += 1;
      return { code: `QUIET${sent % count}`, description: soldNow() };
    },
  };
}
