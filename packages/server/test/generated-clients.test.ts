import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTs, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureKeys, provisionFixtures } from './fixtures.ts';
import { useService } from './test-service.ts';

/** Calls to a generated client, identical for each generator. */
interface Program {
  /** Records a purchase and reads it again. @returns its transactions */
  recordAndRead(url: string, key: string, transactionId: string): Promise<Record<string, unknown>[]>;
  /** Reads a missing purchase. @returns the error's code */
  readMissing(url: string, key: string): Promise<string>;
}

// Only the programs for two generators import openapi-fetch and zod (knip.json).

/** Statements that must compile and statements that must not, for each generator. */
const typed = `
export const purchase: NewTransaction = {
  transactionId: 'order', code: 'ALICE', description: 'Sub', subtotal: 999, currency: 'USD',
  transactionDate: '2026-05-01T12:00:00Z',
};
export const said = (transaction: Transaction): string => transaction.status + String(transaction.subtotal);
export const codeOf = (problem: Problem): string => problem.code;
export const member = (found: Member, tier: Tier, schedule: ScheduledRevenueShare, bounty: Bounty): string =>
  found.codes[0]?.code ?? tier.name + schedule.id + bounty.name;
const event = { eventId: 'e', eventCode: 'won', playerId: 'p' };
export const events: NewCustomEvent[] = [{ ...event, code: 'ALICE' }, { ...event, memberId: 'acc_alice' }];
// @ts-expect-error a code or a memberId is required
export const nobodysEvent: NewCustomEvent = event;
export const update: TransactionUpdate = { action: 'Refund' };
// @ts-expect-error an update must change something
export const noUpdate: TransactionUpdate = {};
// @ts-expect-error not a currency
export const wrong: NewTransaction = { ...purchase, currency: 'XXX' };
export const notified = (sent: NewMemberNotification): string => sent.event.memberId;
`;
const models =
  'NewTransaction, Transaction, Problem, Member, Tier, ScheduledRevenueShare, Bounty, NewCustomEvent, TransactionUpdate, NewMemberNotification';

const programs: Readonly<Record<string, string>> = {
  '@hey-api/openapi-ts': `
import type { ${models} } from './hey-api';
import { createTransactions, getTransaction } from './hey-api';
import { createClient } from './hey-api/client';
import { zGetTransactionResponse, zNewTransaction, zProblem } from './hey-api/zod.gen';
${typed}
const clientOf = (baseUrl: string, key: string) => createClient({ baseUrl, headers: { 'X-SHARED-SECRET': key } });
export async function recordAndRead(url: string, key: string, transactionId: string): Promise<Transaction[]> {
  const client = clientOf(url, key);
  const body = zNewTransaction.parse({ ...purchase, transactionId });
  const { error } = await createTransactions({ client, body });
  if (error !== undefined) throw new Error(JSON.stringify(error));
  const { data } = await getTransaction({ client, path: { transactionId } });
  // A later version's additions don't break generated code.
  const later = (data ?? []).map((each) => ({ transaction: { ...each.transaction, added: 1 }, added: {} }));
  zGetTransactionResponse.parse(later);
  return (data ?? []).map(({ transaction }) => transaction);
}
export async function readMissing(url: string, key: string): Promise<string> {
  const { error } = await getTransaction({ client: clientOf(url, key), path: { transactionId: 'none' } });
  zProblem.parse({ code: 'ACodeOfALaterVersion', message: '', added: 1 });
  return error === undefined ? '' : error.code;
}
`,
  'openapi-typescript': `
import createClient from 'openapi-fetch';
import type { ${models}, paths } from './openapi-typescript';
${typed}
const clientOf = (baseUrl: string, key: string) => createClient<paths>({ baseUrl, headers: { 'X-SHARED-SECRET': key } });
export async function recordAndRead(url: string, key: string, transactionId: string): Promise<Transaction[]> {
  const client = clientOf(url, key);
  const { error } = await client.POST('/v1/attributions/transactions', { body: { ...purchase, transactionId } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
  const { data } = await client.GET('/v1/attributions/transactions/{transactionId}', { params: { path: { transactionId } } });
  return (data ?? []).map(({ transaction }) => transaction);
}
export async function readMissing(url: string, key: string): Promise<string> {
  const params = { path: { transactionId: 'none' } };
  const { error } = await clientOf(url, key).GET('/v1/attributions/transactions/{transactionId}', { params });
  return error === undefined ? '' : error.code;
}
`,
  orval: `
import type { ${models} } from './orval';
import { createTransactions, getTransaction } from './orval';
${typed}
// orval writes paths without the service's address.
const withKey = (key: string): RequestInit => ({ headers: { 'X-SHARED-SECRET': key } });
export async function recordAndRead(_url: string, key: string, transactionId: string): Promise<Transaction[]> {
  const made = await createTransactions({ ...purchase, transactionId }, {}, withKey(key));
  if (made.status !== 200) throw new Error(JSON.stringify(made.data));
  const read = await getTransaction(transactionId, {}, withKey(key));
  return read.status === 200 ? read.data.map(({ transaction }) => transaction) : [];
}
export async function readMissing(_url: string, key: string): Promise<string> {
  const read = await getTransaction('none', {}, withKey(key));
  return read.status === 404 ? read.data.code : '';
}
`,
};

const strictly = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['*.ts', 'hey-api'],
};

describe('a generated program', () => {
  const service = useService();
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'attribution-clients-'));
  let keys: FixtureKeys;

  beforeAll(async () => {
    keys = await provisionFixtures(service());
    const input = join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(service().app.swagger()));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    await createClient({
      input,
      output: { path: join(folder, 'hey-api') },
      logs: { level: 'silent', file: false },
      plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk', 'zod'],
    });
    const types = await openapiTs(new URL(`file://${input}`), {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
    });
    writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(types));
    await generate(
      { input, output: { target: join(folder, 'orval.ts'), client: 'fetch', baseUrl: service().url } },
      folder,
      { logLevel: 'error' },
    );
    for (const [generator, text] of Object.entries(programs)) writeFileSync(programOf(generator), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strictly));
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const programOf = (generator: string): string =>
    join(folder, `${generator.replace(/\W+/g, '-').replace(/^-/, '')}-program.ts`);

  it('compiles strictly, has the models by name, and enforces the rules', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  }, 180_000);

  it.each(Object.keys(programs))(
    'by %s: records a purchase, reads it, and reads an error',
    async (generator) => {
      const { recordAndRead, readMissing } = (await import(programOf(generator))) as Program;
      const transactionId = `made-by-${generator}`;
      expect(await recordAndRead(service().url, keys.backend, transactionId)).toEqual([
        expect.objectContaining({ transactionId, code: 'ALICE', subtotal: 999, status: 'Normal' }),
      ]);
      expect(await readMissing(service().url, keys.backend)).toBe('NotFound');
    },
  );
});
