import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, runAttribution, startServer, until } from '../attribution-process.ts';
import { auroraProgram, purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from '../system-postgres.ts';

const bin = findSystemPostgres();
if (bin === null)
  console.warn('PostgreSQL with its client tools is not installed: the restore drill is skipped.');

/** Drill described in docs/operating.md#restore-drill. */
describe.skipIf(bin === null)('a dump restored as other roles', () => {
  let postgres: SystemPostgres;
  let dump = '';
  let key = '';

  const urls = (database: string, service: string, owner: string) => ({
    DATABASE_URL: postgres.url(service, database),
    ...(owner !== service && { DATABASE_OWNER_URL: postgres.url(owner, database) }),
    SETTLE_INTERVAL_MS: '20',
  });
  const examine = async (environment: Record<string, string>) => {
    const { code, stdout } = await runInProcess(['doctor', '--json'], { environment });
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; state: string; message: string }[];
    };
    const roles = findings.filter(({ check }) => check === 'role');
    return { code, roles, states: new Set(roles.map(({ state }) => state)) };
  };
  const asked = async (
    environment: Record<string, string>,
    method: string,
    suffix: string,
    body?: object,
  ) => {
    const server = await startServer(environment);
    const answer = await fetch(`${server.url}/v1/attributions/transactions${suffix}`, {
      method,
      headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const outcome = { status: answer.status, body: await answer.json() };
    return { ...outcome, server };
  };

  beforeAll(async () => {
    postgres = await startSystemPostgres(bin ?? '');
    dump = join(postgres.folder, 'attribution.dump');
    await postgres.admin(
      'postgres',
      ...['first_owner', 'first', 'second_owner', 'second', 'alone'].map(
        (role) => `create role ${role} login`,
      ),
      'create database shop owner first_owner',
      'create database restored owner second_owner',
      'create database restored_alone owner alone',
    );
    const environment = urls('shop', 'first', 'first_owner');
    expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await runInProcess(['provision', '-', '--json'], {
      environment,
      input: auroraProgram,
    });
    ({ key } = JSON.parse(stdout).keys[0]);
    const { server, status } = await asked(environment, 'POST', '', purchase({ transactionId: 'kept' }));
    expect(status).toBe(200);
    await until('the purchase to be settled', async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /^attribution_settled_rows_total 1$/m.test(metrics);
    });
    expect(
      (
        await fetch(`${server.url}/v1/attributions/transactions/kept`, {
          method: 'PATCH',
          headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
          body: JSON.stringify({ action: 'Refund' }),
        })
      ).status,
    ).toBe(200);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    postgres.run('pg_dump', '--format=custom', `--file=${dump}`, postgres.url('first_owner', 'shop'));
  });
  afterEach(killLeftovers);
  afterAll(() => postgres?.stop());

  test('is rejected until `attribution migrate` has granted the new roles their privileges; then everything works', async () => {
    const environment = urls('restored', 'second', 'second_owner');
    postgres.run(
      'pg_restore',
      '--no-owner',
      '--no-privileges',
      `--dbname=${postgres.url('second_owner', 'restored')}`,
      dump,
    );
    // Doctor only warns, because every role may execute the functions that create and drop partitions.
    expect(await examine(environment)).toMatchObject({ code: 1, states: new Set(['problem', 'warning']) });
    expect(await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } })).toMatchObject({
      code: 1,
      stderr:
        'The database cannot be used: role second lacks the right to read its tables; run `npx attribution migrate`.\n',
    });

    expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0, stderr: '' });
    expect(await examine(environment)).toMatchObject({ code: 0, states: new Set(['ok']) });
    expect(await runInProcess(['ledger', 'verify', '--all'], { environment })).toMatchObject({ code: 0 });
    const { status, body, server } = await asked(environment, 'GET', '/kept');
    expect(status).toBe(200);
    expect(body).toMatchObject([{ transaction: { transactionId: 'kept', status: 'Refund' } }]);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('under one role that may change the ledger is also rejected, and fixed in the same way', async () => {
    const environment = urls('restored_alone', 'alone', 'alone');
    postgres.run('pg_restore', '--no-owner', `--dbname=${postgres.url('alone', 'restored_alone')}`, dump);
    const found = await examine(environment);
    expect(found.code).toBe(1);
    for (const table of ['ledger_entry', 'refund_record'])
      expect(found.roles).toContainEqual({
        check: 'role',
        state: 'problem',
        message: expect.stringMatching(
          new RegExp(
            `^Role alone must not have .*update.* on ${table}\\..*: revoke update.* on "public"."${table}"`,
          ),
        ),
      });
    const refused = await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/must not have .*update.* on ledger_entry/),
    });

    expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0, stderr: '' });
    expect(await examine(environment)).toMatchObject({ code: 0, states: new Set(['warning']) });
    expect(await runInProcess(['ledger', 'verify', '--all'], { environment })).toMatchObject({ code: 0 });
    const { status, server } = await asked(environment, 'GET', '/kept');
    expect(status).toBe(200);
    server.kill('SIGTERM');
    expect((await server.ended).stderr).toMatch(/Role alone runs the service and owns the tables/);
  });
});
