import type { Command } from 'commander';
import { type Actor, actorOf } from '../audit/actor.ts';
import { type AppliedProgram, applyProgramFile } from '../program-file/apply-program.ts';
import { readProgramFile } from '../program-file/read-program.ts';
import { inDatabase, jsonOption, userName } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export function addProvisionCommand(program: Command, tools: CommandTools): void {
  program
    .command('provision')
    .argument('<file>', 'YAML or JSON (see docs/program-file.md); - reads standard input')
    .description(
      'Apply a program file. It creates or changes the entries in the file, and leaves everything else unchanged.',
    )
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }, command: Command) => {
      const file = readProgramFile(await tools.readText(name), name);
      await inDatabase(tools, async ({ db }) => {
        const applied = await applyProgramFile(db, applierOf(name, 'provision'), file);
        print(tools, applied, json === true);
      })(command);
    });
}

/** Returns the actor for a program file that is applied from the command line. */
export const applierOf = (file: string, command: string): Actor =>
  actorOf(
    { kind: 'program-file', file: file === '-' ? 'standard input' : file, user: userName() },
    { command },
  );

function print({ print }: CommandTools, applied: AppliedProgram, json: boolean): void {
  const { publisher, groups, members, claimed, keys } = applied;
  if (json) {
    print(JSON.stringify({ publisher, keys }));
    return;
  }
  print(`Publisher ${publisher}: ${groups} group(s), ${members} member(s) match the file.`);
  if (claimed.length > 0) print(`Unchanged, because creators have claimed them: ${claimed.join(', ')}.`);
  if (keys.length === 0) return;
  print('New keys, which are shown only once:');
  for (const { name, kind, group, key } of keys) {
    print(`  ${`${name} (${kind}${group === undefined ? '' : `, group ${group}`})`.padEnd(32)} ${key}`);
  }
}
