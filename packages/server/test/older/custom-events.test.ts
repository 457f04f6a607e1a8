import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { dropDays } from '../../src/platform/database/days/drop-days.ts';
import { urlsOf } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { connect } from '../test-database.ts';
import { startService } from '../test-service.ts';
import { readOlderContents, restoreOlderInstallation } from './older-installation.ts';

/** Number of events, which is more than the copy processes in one step. */
const eventCount = 5_003;

test('custom events of 0.1.0 keep their ids and contributions, even after they are dropped', async () => {
  const installation = await restoreOlderInstallation(readOlderContents());
  onTestFinished(installation.drop);
  const admin = await connect(installation.adminConnection);
  const count = async (text: string): Promise<number> => Number((await admin.query(text)).rows[0]?.n);
  // One in three hundred events occurred before the bounty started.
  await admin.query(`
    insert into bounty (publisher_id, bounty_id, group_id, name, starts_at)
    values ('aurora', 'levels', 'main', 'Levels', '2025-06-01Z');
    insert into bounty_objective (publisher_id, objective_id, bounty_id, position, name, type, condition, target, event_code)
    values ('aurora', 'level', 'levels', 0, 'Levels', 'Event', 'Count', 1000000, 'level');
    insert into bounty_event (publisher_id, event_id, group_id, membership_id, event_code, player_id, occurred_at, recorded_at)
    select 'aurora', 'e-' || n, 'main', m.membership_id, 'level', 'p-' || n,
           timestamptz '2025-07-01Z' - case when n % 300 = 0 then interval '90 days' else n * interval '1 second' end, now()
    from generate_series(1, ${eventCount}) n
    join membership m on m.publisher_id = 'aurora' and m.group_id = 'main' and m.account_id = 'acc_alice';
    insert into bounty_contribution (publisher_id, objective_id, membership_id, source_id, row_ids, value)
    select publisher_id, 'level', membership_id, event_id, '{}', 1 from bounty_event where occurred_at >= '2025-06-01Z';
    insert into bounty_total (publisher_id, objective_id, membership_id, total)
    select publisher_id, objective_id, membership_id, sum(value) from bounty_contribution where objective_id = 'level' group by 1, 2, 3;
    insert into bounty_progress (publisher_id, bounty_id, membership_id, needs_check)
    select publisher_id, 'levels', membership_id, false from bounty_total where objective_id = 'level'`);
  const counted = eventCount - Math.floor(eventCount / 300);
  const migrated = await runInProcess(['migrate'], { environment: urlsOf(installation) });
  expect(migrated).toMatchObject({ code: 0 });
  expect(await count('select count(*) as n from bounty_event_id')).toBe(eventCount);
  expect(
    await count("select count(occurred_at) as n from bounty_contribution where objective_id = 'level'"),
  ).toBe(counted);
  expect(
    await count("select count(occurred_at) as n from bounty_contribution where objective_id <> 'level'"),
    'none of a purchase',
  ).toBe(0);

  const database = openDatabase({ ...installation, poolSize: 5, recordLanes: 1, applicationName: 'test' });
  onTestFinished(() => database.close());
  const service = await startService({ on: { ...installation, database } });
  onTestFinished(() => service.close());
  const [made] = await service.provision(
    '{ publisher: { id: aurora, apiKeys: [ { name: test, kind: secret } ] } }',
  );
  const send = (eventId: string) =>
    service.call('POST', '/v1/events?groupId=main', {
      key: made?.key ?? '',
      json: { eventId, eventCode: 'level', code: 'ALICE', playerId: 'x' },
    });
  expect((await send('e-17')).body).toEqual({
    eventId: 'e-17',
    eventCode: 'level',
    memberId: 'acc_alice',
    playerId: 'p-17',
    occurredAt: '2025-06-30T23:59:43.000Z',
  });
  const total = () => count("select total as n from bounty_total where objective_id = 'level'");
  expect((await send('new-1')).status).toBe(200);
  expect(await total()).toBe(counted + 1);

  const long = new Date(Date.now() - 90 * 86_400_000);
  expect(await dropDays(database.db, 'bounty_event', long, new AbortController().signal)).toBe(0);
  // Simulates that the last day of these events has passed.
  await admin.query("delete from bounty_event where event_id like 'e-%'");
  expect((await send('e-17')).status).toBe(409);
  const ended = await runInProcess(['bounties', 'end', '--publisher', 'aurora', 'levels'], {
    environment: urlsOf(installation),
  });
  expect(ended).toMatchObject({ code: 0 });
  expect(await total()).toBe(counted + 1);
});
