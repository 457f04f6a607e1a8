import { ledgerVerify, payout, preview, provision } from './commands.ts';
import { heldLock } from './held-lock.ts';
import { existingPlayers, newPlayers } from './members.ts';
import { chunkedClients, largeArrays, leavingClients, patches } from './recording.ts';
import { slowReadersOfPages, slowReadersOfTheScript } from './slow-readers.ts';
import { strangers } from './strangers.ts';
import { webhookBacklog } from './webhook-backlog.ts';
import type { Neighbor, World } from './world.ts';

/** A neighbor in a process of its own, so that the quiet publisher's clock does not wait for it. */
const neighbors: Readonly<Record<string, Neighbor>> = {
  strangers,
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
  if (neighbor === undefined) throw new Error(`there is no neighbor ${name}`);
  const told = await neighbor(world);
  process.send?.(told, () => process.exit());
});
process.on('disconnect', () => process.exit());
