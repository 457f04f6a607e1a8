import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { newRowId } from '../../packages/server/src/platform/ids.ts';
import { createSealer } from '../../packages/server/src/platform/secrets/sealer.ts';
import { createEndpoint } from '../../packages/server/src/webhooks/endpoints/create-endpoint.ts';
import { openBenchDatabase } from '../lib/bench-service.ts';
import { startReceivers } from '../lib/receivers.ts';
import { isOver } from './clients.ts';
import { neighborId, type Outcome, type World } from './world.ts';

const kind = 'GroupManagement/NewMember';
const deliveries = 20_000;

/** Has the service deliver an hour-old backlog to one of the neighbor's receivers. */
export async function webhookBacklog(world: World): Promise<Outcome> {
  const receivers = await startReceivers();
  const database = openBenchDatabase(world);
  const client = new pg.Client({ host: world.socketDirectory, user: 'attribution', database: 'attribution' });
  await client.connect();
  try {
    const sealer = createSealer([Buffer.from(world.environment.SECRETS_KEY ?? '', 'base64')]);
    const { endpointId } = await createEndpoint(
      { db: database.db, sealer, allowPrivateTargets: true },
      serviceActor,
      { publisherId: neighborId, url: receivers.url('ok', 'backlog'), eventKinds: [kind] },
    );
    const event = JSON.stringify({ tag: 'backlog', memberId: 'busy_0', code: 'BUSY0', name: 'A creator' });
    await client.query(
      `with e as (
         insert into webhook_event (publisher_id, event_id, kind, created_at, event)
         select $1, id, '${kind}', date_trunc('milliseconds', now() - interval '1 hour'), $3 from unnest($2::uuid[]) as n (id)
         returning event_id, created_at
       )
       insert into webhook_delivery (publisher_id, endpoint_id, event_id, next_attempt_at, created_at)
       select $1, $4, event_id, created_at, created_at from e`,
      [neighborId, Array.from({ length: deliveries }, newRowId), event, endpointId],
    );
    const startedAtMs = performance.now();
    const arrived = async (): Promise<number> => (await receivers.count('backlog')).count;
    let count = 0;
    for (const over = isOver({ ...world, seconds: world.seconds * 3 }); count < deliveries && !over(); ) {
      await sleep(200);
      count = await arrived();
    }
    const seconds = (performance.now() - startedAtMs) / 1_000;
    return { summary: `${count} of ${deliveries} delivered in ${seconds.toFixed(1)} s` };
  } finally {
    await client.end();
    await database.close();
    receivers.stop();
  }
}
