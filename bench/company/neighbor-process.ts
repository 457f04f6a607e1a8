import { ledgerVerify, payout, preview, provision } from './commands.ts';
import { heldLock } from './held-lock.ts';
import { existingPlayers, newPlayers } from './members.ts';
import { chunkedClients, largeArrays, leavingClients, patches } from './recording.ts';
import { slowReadersOfPages, slowReadersOfTheScript } from './slow-readers.ts';
import { unauthenticatedClients } from './unauthenticated-clients.ts';
import { webhookBacklog } from './webhook-backlog.ts';
import type { Neighbor, World } from './world.ts';

/**
 * Neighbors by name. Each neighbor runs in its own process so that it does not delay the quiet publisher's
 * timers.
 */
const neighbors: Readonly<Record<string, Neighbor>> = {
  unauthenticatedClients,
  slowReadersOfTheScript,
  slowReadersOfPages,
  chunkedClients,
  leavingClients,
  largeArrays,
  existingPlayers,
  newPlayers,
  patches,
  provision,
  heldLock,
  webhookBacklog,
  preview,
  ledgerVerify,
  payout,
};

process.on('message', async ({ name, world }: { name: string; world: World }) => {
  const neighbor = neighbors[name];
  if (neighbor === undefined) throw new Error(`unknown neighbor ${name}`);
  const outcome = await neighbor(world);
  process.send?.(outcome, () => process.exit());
});
process.on('disconnect', () => process.exit());
