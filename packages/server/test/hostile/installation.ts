import { readFileSync } from 'node:fs';
import { roles } from '../../src/accounts/roles.ts';
import { createToken } from '../../src/accounts/tokens/create-token.ts';
import { createKey } from '../../src/api-keys/create-key.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import type { AccountId } from '../../src/platform/database/tables.generated.ts';
import { toAccountId } from '../../src/platform/ids.ts';
import { findOrCreateUser } from '../../src/portal/codes.ts';
import { connectAccount, findUserOf } from '../../src/portal/connect-account.ts';
import { sessionCookie } from '../../src/portal/portal-cookies.ts';
import { startSession } from '../../src/portal/sessions.ts';
import type { IssuedKey } from '../../src/program-file/apply-program.ts';
import { applyProgram } from '../apply-program.ts';
import { type AttributionServer, startServer } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { DocumentedApi } from '../documented-answers.ts';
import { rivalProgram } from '../fixtures.ts';
import { portalOrigin, portalUrl } from '../portal.ts';
import type { Random } from '../simulation/random.ts';
import { startSmtpSink } from '../smtp-sink.ts';
import { signInAt } from '../staff.ts';
import { testActor } from '../test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import type { Credential } from './draft.ts';
import { Pool } from './pool.ts';

/** Process that receives the requests, with two publishers and their data. */
export interface Installation {
  server: AttributionServer;
  apis: readonly DocumentedApi[];
  pool: Pool;
  /** Returns a credential for an operation, usually one that is permitted to call it. */
  credentialFor(path: string, random: Random): Credential;
  /** Replaces credentials that requests may have revoked or ended. */
  renew(): Promise<void>;
  stop(): Promise<{ code: number | null; stderr: string }>;
  /** Drops the database once the process has ended. */
  drop(): Promise<void>;
}

const demo = readFileSync(new URL('../../../../examples/demo-program.yaml', import.meta.url), 'utf8');

/** Settings with high limits, so that requests are rejected because of their content and not because of their number. */
const settings = {
  FAILED_KEYS_PER_SECOND: '1000000',
  CODE_MISSES_PER_MINUTE: '1000000',
  LINK_MISSES_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

export async function startInstallation(): Promise<Installation> {
  const testDatabase = await createTestDatabase();
  const { connection, database } = testDatabase;
  const aurora = await applyProgram(database.db, demo, 'demo.yaml');
  const rival = await applyProgram(database.db, rivalProgram, 'rival.yaml');
  const sink = await startSmtpSink();
  const portal = { PORTAL_URL: portalUrl, SMTP_URL: sink.url, MAIL_FROM: 'creators@example.com' };
  const server = await startServer({ DATABASE_URL: databaseUrl(connection), ...settings, ...portal });
  const read = async (path: string): Promise<DocumentedApi> =>
    new DocumentedApi((await (await fetch(server.url + path)).json()) as object);
  const apis = await Promise.all(['/openapi.json', '/admin/openapi.json', '/portal/openapi.json'].map(read));
  const keys = new Credentials([...aurora.keys, ...rival.keys], { testDatabase, url: server.url });
  await keys.renew();
  return {
    server,
    apis,
    pool: new Pool(known),
    credentialFor: (path, random) => keys.pick(path, random),
    renew: () => keys.renew(),
    async stop() {
      server.kill('SIGTERM');
      const { code, stderr } = await server.ended;
      await sink.close();
      return { code, stderr };
    },
    drop: () => testDatabase.drop(),
  };
}

/** Names and ids from the two program files. */
export const known: Readonly<Record<string, readonly unknown[]>> = {
  publisherId: [...Array.from({ length: 14 }, () => 'aurora'), 'rival', 'nowhere'],
  publisher: ['aurora', 'aurora', 'aurora', 'rival', 'nowhere'],
  groupId: ['main', 'main', 'moba', 'hidden'],
  group: ['main', 'main', 'moba', 'hidden'],
  code: ['ALICE', 'AL-1', 'BOB', 'CAROL', 'RIVAL'],
  memberId: ['acc_alice', 'acc_bob', 'acc_carol', 'acc_rival'],
  playerId: ['p-1', 'p-2', 'p-9'],
  skuId: ['battle-pass', 'skin-1'],
  tierId: ['7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', '1b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31'],
  transactionId: Array.from({ length: 16 }, (_, index) => `t-${index}`),
  bountyId: ['first-500'],
  objectiveId: ['first-500-sales'],
  rewardId: ['first-500-trophy', 'first-500-bonus'],
  provider: ['twitch'],
  providerId: ['123', '999'],
  currency: ['USD', 'USD', 'EUR', 'JPY', 'BTC'],
  day: ['2026-05-01'],
  month: ['2026-05'],
};

/** Accounts whose creators send requests to the portal. Each creator is a person, whose requests are limited. */
const creators = ['acc_alice', 'acc_bob', 'acc_carol', 'acc_rival'].map(toAccountId);

/** Signs in as the creator of an account, and connects the account if it isn't connected yet. */
async function creatorSession(db: Db, accountId: AccountId): Promise<Credential> {
  const now = systemClock.now();
  const email = `${accountId}@example.com`;
  const token = await inTransaction(db, async (tx) => {
    const userId = await findOrCreateUser(tx, email, now);
    if ((await findUserOf(tx, accountId)) === null)
      await connectAccount(tx, { userId, accountId, proof: 'auth-code', source: {}, now });
    const browser = { address: '127.0.0.1', userAgent: 'hostile', tokens: [] };
    return startSession(tx, { userId, startedWith: null }, browser, now);
  });
  return [
    ['cookie', sessionCookie(portalOrigin, token).split(';')[0] ?? ''],
    ['origin', portalOrigin],
  ];
}

interface Target {
  testDatabase: TestDatabase;
  url: string;
}

class Credentials {
  readonly #program: readonly IssuedKey[];
  readonly #target: Target;
  #apiCredentials: Credential[] = [];
  #adminCredentials: Credential[] = [];
  #portalCredentials: Credential[] = [];
  #made = 0;

  constructor(program: readonly IssuedKey[], target: Target) {
    this.#program = program;
    this.#target = target;
  }

  /** Picks a credential, usually one with the most permissions. */
  pick(path: string, random: Random): Credential {
    const [all, strong] = path.startsWith('/portal/')
      ? [this.#portalCredentials, creators.length]
      : path.startsWith('/admin/')
        ? [this.#adminCredentials, 2]
        : [this.#apiCredentials, 1];
    const strongest = random.below(strong);
    return (random.oneIn(5) ? random.pick(all) : all[strongest]) ?? [];
  }

  async renew(): Promise<void> {
    const { testDatabase } = this.#target;
    const { db } = testDatabase.database;
    const made = {
      publisherId: 'aurora',
      name: `hostile ${this.#made}`,
      kind: 'secret',
      group: null,
      expiresAt: null,
    } as const;
    const now = systemClock.now();
    const { key } = await createKey(db, testActor, made, now);
    const others = this.#program.map((each) => each.key);
    this.#apiCredentials = [key, ...others, key.slice(0, -1), key.toUpperCase(), ''].map((each) => [
      ['x-shared-secret', each],
    ]);
    this.#apiCredentials.push([]);
    const expiresAt = new Date(now.getTime() + 86_400_000);
    const tokenOf = async (role: (typeof roles)[number]): Promise<Credential> => {
      this.#made += 1;
      const { token } = await createToken(
        db,
        testActor,
        { publisherId: 'aurora', name: `${role} ${this.#made}`, role, expiresAt },
        now,
      );
      return [['authorization', `Bearer ${token}`]];
    };
    const sessionOf = async (role: (typeof roles)[number], publisherId = 'aurora'): Promise<Credential> => {
      const { headers } = await signInAt(this.#target, role, { publisherId, hasSecondFactor: true });
      return Object.entries(headers);
    };
    const [session, token] = [await sessionOf('owner'), await tokenOf('owner')];
    this.#adminCredentials = [session, token];
    for (const role of roles) this.#adminCredentials.push(await tokenOf(role), await sessionOf(role));
    this.#adminCredentials.push(await sessionOf('owner', 'rival'), [], [['authorization', `Bearer ${key}`]]);
    this.#adminCredentials.push(session.filter(([name]) => name === 'cookie'));
    this.#adminCredentials.push(
      session.map(([name, value]) => [name, name === 'cookie' ? `${value.slice(0, -2)}xx` : value]),
    );
    const creatorSessions: Credential[] = [];
    for (const accountId of creators) creatorSessions.push(await creatorSession(db, accountId));
    this.#portalCredentials = [...creatorSessions, session, [['origin', portalOrigin]], []];
    this.#adminCredentials.push(...creatorSessions.slice(0, 1));
  }
}
