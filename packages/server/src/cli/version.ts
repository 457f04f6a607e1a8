import type { Command } from 'commander';
import { upgradesFrom, version } from '../platform/config.ts';
import { jsonOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';

/** version: which program this is. */
export function addVersionCommand(program: Command, { print }: CommandTools): void {
  program
    .command('version')
    .description('Print the version, and the oldest one that it upgrades from.')
    .addOption(jsonOption())
    .action(({ json }: { json?: boolean }) =>
      print(
        json
          ? JSON.stringify({ version, node: process.version, upgradesFrom })
          : `attribution ${version} (Node ${process.version}; it upgrades databases of ${upgradesFrom} and newer)`,
      ),
    );
}
