import { ledgerVerify, payout, preview, provision } from './commands.ts';
import { heldLock } from './held-lock.ts';
import { existingPlayers, newPlayers } from './members.ts';
import { chunkedClients, largeArrays, leavingClients, patches } from './recording.ts';
import { slowReadersOfPages, slowReadersOfTheScript } from './slow-readers.ts';
import { strangers } from './strangers.ts';
import { webhookBacklog } from './webhook-backlog.ts';
import type { Neighbour, World } from './world.ts';

/** A neighbour in a process of its own, so that the quiet publisher's clock does not wait for it. */
const neighbours: Readonly<Record<string, Neighbour>> = {
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
  const neighbour = neighbours[name];
  if (neighbour === undefined) throw new Error(`there is no neighbour ${name}`);
  const told = await neighbour(world);
  process.send?.(told, () => process.exit());
});
process.on('disconnect', () => process.exit());
