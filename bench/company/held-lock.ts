import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keepBusy, purchase, send, startAgent, Tally, transactions } from './clients.ts';
import { neighborId, type Outcome, type World } from './world.ts';

/**
 * Holds a lock on the neighbor's row in `publisher`, as an operator in psql might, while the neighbor sends
 * requests. The neighbor's requests may be refused, because they need the lock.
 */
export async function heldLock(world: World): Promise<Outcome> {
  const client = new pg.Client({ host: world.socketDirectory, user: 'attribution', database: 'attribution' });
  await client.connect();
  const agent = startAgent(40);
  const tally = new Tally();
  try {
    await client.query('begin');
    await client.query('select from publisher where publisher_id = $1 for update', [neighborId]);
    await keepBusy(world, 40, async (lane) => {
      const key = world.secretKey;
      if (lane % 2 === 0) {
        const body = JSON.stringify({ playerId: `locked-${lane}` });
        tally.add(await send(agent, `${world.url}/v1/manage/members`, { key, body }));
      } else {
        tally.add(await send(agent, world.url + transactions, { key, body: JSON.stringify(purchase()) }));
      }
      await sleep(20);
    });
    await client.query('rollback');
  } finally {
    await client.end();
    await agent.destroy();
  }
  return { summary: `its own requests ${tally}` };
}
