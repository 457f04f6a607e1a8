import type { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { exportProgram } from '../program-file/export/export-program.ts';
import { inDatabase, type PublisherOptions, publisherOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export function addProgramCommands(program: Command, tools: CommandTools): void {
  program
    .command('program')
    .description('Export a publisher’s program as a program file.')
    .command('export')
    .description('Write the program as YAML. Applying the file to the same publisher changes nothing.')
    .addOption(publisherOption())
    .action(
      inDatabase(tools, async ({ db, actor }, { publisher }: PublisherOptions) => {
        tools.print((await exportProgram(db, actor, publisher, systemClock.now())).trimEnd());
      }),
    );
}
