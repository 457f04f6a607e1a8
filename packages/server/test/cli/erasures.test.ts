import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, startServer } from '../attribution-process.ts';
import { findText } from '../find-text.ts';
import { auroraProgram, purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from '../system-postgres.ts';

const bin = findSystemPostgres();
if (bin === null)
  console.warn('PostgreSQL with its client tools is not installed: restored erasures are not tested.');

describe.skipIf(bin === null)('a backup that was restored after an erasure', () => {
  let postgres: SystemPostgres;
  let environment: Record<string, string>;
  let log = '';
  const buyer = {
    playerId: 'player-Quokka',
    playerName: 'Wombat',
    metrics: { joinDate: '2019-02-03T00:00:00Z' },
  };

  const run = (...words: string[]) => runInProcess(words, { environment });
  const find = (database: string, text: string) =>
    findText({ connectionString: postgres.url('attribution_owner', database) }, text);

  beforeAll(async () => {
    postgres = await startSystemPostgres(bin ?? '');
    log = join(postgres.folder, 'erasures.ndjson');
    environment = { ...(await postgres.makeDatabase('shop')), SETTLE_INTERVAL_MS: '20' };
    expect(await run('migrate')).toMatchObject({ code: 0 });
    const { stdout } = await runInProcess(['provision', '-', '--json'], {
      environment,
      input: auroraProgram,
    });
    const server = await startServer(environment);
    const answer = await fetch(`${server.url}/v1/attributions/transactions`, {
      method: 'POST',
      headers: { 'x-shared-secret': JSON.parse(stdout).keys[0].key, 'content-type': 'application/json' },
      body: JSON.stringify(purchase(buyer)),
    });
    expect(answer.status).toBe(200);
    server.kill('SIGTERM');
    await server.ended;
  });
  afterAll(async () => {
    killLeftovers();
    await postgres?.stop();
  });

  test('contains the person until the file of erasures is repeated, and its ledger is sound', async () => {
    const dump = join(postgres.folder, 'before.dump');
    postgres.run('pg_dump', '--format=custom', `--file=${dump}`, postgres.url('attribution_owner', 'shop'));
    const erased = await run(
      ...['buyers', 'erase', '--publisher', 'aurora', '--player', buyer.playerId, '--log', log],
    );
    expect(erased).toMatchObject({ code: 0, stderr: '' });
    expect(await find('shop', buyer.playerId)).toEqual([]);
    const creator = await run('members', 'erase', '--account', 'acc_dora', '--log', log);
    expect(creator).toMatchObject({ code: 0, stderr: '' });
    expect(await find('shop', 'Dora')).toEqual([]);

    await postgres.admin('postgres', 'create database restored owner attribution_owner');
    environment = {
      DATABASE_URL: postgres.url('attribution', 'restored'),
      DATABASE_OWNER_URL: postgres.url('attribution_owner', 'restored'),
    };
    postgres.run(
      'pg_restore',
      '--no-privileges',
      `--dbname=${postgres.url('attribution_owner', 'restored')}`,
      dump,
    );
    expect(await run('migrate')).toMatchObject({ code: 0 });
    for (const text of [buyer.playerId, 'Dora']) expect(await find('restored', text)).not.toEqual([]);
    expect(await run('members', 'erase', '--replay', log)).toMatchObject({
      code: 0,
      stdout: '2 erasures repeated: 2 changed something, 0 failed.\n',
    });
    for (const text of [buyer.playerId, buyer.playerName, '2019-02-03', 'Dora'])
      expect([text, await find('restored', text)]).toEqual([text, []]);
    expect(await run('ledger', 'verify', '--all')).toMatchObject({ code: 0 });
    expect((await run('buyers', 'erase', '--replay', log)).stdout).toContain('0 changed something');
  });
});
