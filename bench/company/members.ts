import { setTimeout as sleep } from 'node:timers/promises';
import { isOver, keepBusy, purchase, send, startAgent, Tally, transactions } from './clients.ts';
import type { Outcome, World } from './world.ts';

const callers = 16;

/** Calls POST /v1/manage/members from 16 connections. The same publisher's purchases must not be refused. */
async function generateMembers(world: World, playerId: () => string): Promise<Outcome> {
  const agent = startAgent(callers + 8);
  const [generated, created] = [new Tally(), new Tally()];
  await Promise.all([
    keepBusy(world, callers, async () => {
      const body = JSON.stringify({ playerId: playerId() });
      generated.add(await send(agent, `${world.url}/v1/manage/members`, { key: world.secretKey, body }));
    }),
    (async () => {
      for (const over = isOver(world); !over(); await sleep(50)) {
        const body = JSON.stringify(purchase());
        created.add(await send(agent, world.url + transactions, { key: world.secretKey, body }));
      }
    })(),
  ]);
  await agent.destroy();
  return { summary: `members ${generated}; its own creates ${created}`, refused: created.refused() };
}

export const existingPlayers = (world: World): Promise<Outcome> =>
  generateMembers(world, () => 'player-of-all');

export function newPlayers(world: World): Promise<Outcome> {
  let players = 0;
  return generateMembers(world, () => `new-${process.pid}-${players++}`);
}
