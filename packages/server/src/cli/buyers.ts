import { type Command, Option } from 'commander';
import { appendLine } from '../platform/append-line.ts';
import { systemClock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { changedBuyer, eraseBuyer } from '../privacy/erase-buyer.ts';
import { toLine } from '../privacy/parse-erasures.ts';
import { inDatabase, jsonOption, reasonOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { replayErasures, replayOption } from './replay-erasures.ts';

interface EraseOptions {
  publisher?: string;
  player?: string;
  log?: string;
  reason?: string;
  replay?: string;
  json?: boolean;
}

export function addBuyerCommands(program: Command, tools: CommandTools): void {
  const buyers = program.command('buyers').description('Erase the personal data of buyers.');
  const command = buyers
    .command('erase')
    .description("Erase a buyer from a publisher's purchases and stored events. Amounts don't change.")
    .addOption(new Option('--publisher <id>', 'id of the publisher'))
    .addOption(new Option('--player <id>', "publisher's id for the buyer"))
    .addOption(logOption())
    .addOption(reasonOption())
    .addOption(replayOption())
    .addOption(jsonOption());
  command.action(
    inDatabase(tools, async (work, options: EraseOptions) => {
      const { publisher, player, log, replay } = options;
      if (replay !== undefined) return replayErasures(work, tools, { file: replay, ...options });
      if (publisher === undefined || player === undefined || log === undefined)
        throw new Refusal('InvalidInput', 'Give --publisher, --player and --log, or --replay.');
      return erase(work, tools, { ...options, publisher, player, log });
    }),
  );
}

export const logOption = (): Option =>
  new Option('--log <file>', 'file of erasures, beside the backups; a line with the ids is appended');

async function erase(
  { db, actor }: Work,
  { printDone }: CommandTools,
  {
    publisher: publisherId,
    player: playerId,
    log,
    reason,
    json,
  }: EraseOptions & { publisher: string; player: string; log: string },
): Promise<void> {
  const at = systemClock.now();
  const erased = await eraseBuyer(
    db,
    actor,
    { publisherId, playerId, reason: reason ?? null, before: null },
    () => appendLine(log, toLine({ at, kind: 'buyer', publisherId, playerId }), 'Nothing was erased'),
  );
  const { purchases, firstPurchases, playerCodes, customEvents, connectorEvents, events } = erased;
  printDone(
    json
      ? JSON.stringify({ publisher: publisherId, ...erased })
      : changedBuyer(erased)
        ? `The buyer is erased at ${publisherId}: ${purchases} rows of purchases, ${firstPurchases} entries of first purchases, ${playerCodes} codes, ${customEvents} custom events, ${connectorEvents} events of connectors, ${events} stored events.`
        : `Nothing of this buyer is stored at ${publisherId}.`,
  );
}
