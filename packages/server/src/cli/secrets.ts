import type { Command } from 'commander';
import { resealSecrets } from '../notifications/reseal-secrets.ts';
import { requireKey } from '../platform/secrets/sealer.ts';
import { inDatabase, jsonOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export function addSecretCommands(program: Command, tools: CommandTools): void {
  program
    .command('secrets')
    .description("Manage the database's secrets, which are encrypted with SECRETS_KEY.")
    .command('rotate')
    .description(
      'Encrypt all secrets with the first key of SECRETS_KEY. If interrupted, run it again to continue.',
    )
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
        ? `Resealed ${sealed} secret(s). All secrets are sealed with the first key. The other keys are no longer needed.`
        : `Resealed ${sealed} secret(s). ${lost} are sealed with a key that is not in SECRETS_KEY. Add that key after the first one, and run this command again.`,
    );
  if (lost > 0) fail();
}
