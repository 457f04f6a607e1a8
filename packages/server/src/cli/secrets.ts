import type { Command } from 'commander';
import { requireKey } from '../platform/secrets/sealer.ts';
import { resealSecrets } from '../webhooks/endpoints/reseal-secrets.ts';
import { inDatabase, jsonOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

/** secrets: how those in the database are sealed. */
export function addSecretCommands(program: Command, tools: CommandTools): void {
  program
    .command('secrets')
    .description('The secrets in the database, which SECRETS_KEY seals.')
    .command('rotate')
    .description('Seal everything with the first key of SECRETS_KEY. Broken off, it goes on when run again.')
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, { json }: { json?: boolean }) => rotate(work, tools, json === true)));
}

async function rotate(
  { db, sealer, actor }: Work,
  { print, fail }: CommandTools,
  json: boolean,
): Promise<void> {
  requireKey(sealer);
  const { sealed, lost } = await resealSecrets(db, sealer, actor);
  if (json) print(JSON.stringify({ sealed, lost }));
  else
    print(
      lost === 0
        ? `${sealed} sealed anew. Everything is sealed with the first key; older ones are needed no more.`
        : `${sealed} sealed anew. ${lost} are sealed with a key that is not among these: add it, behind the first one, and run this again.`,
    );
  if (lost > 0) fail();
}
