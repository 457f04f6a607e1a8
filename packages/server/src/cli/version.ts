import type { Command } from 'commander';
import { upgradesFrom, version } from '../platform/config.ts';
import { jsonOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export function addVersionCommand(program: Command, { print }: CommandTools): void {
  program
    .command('version')
    .description('Print the version, and the oldest version that it can upgrade from.')
    .addOption(jsonOption())
    .action(({ json }: { json?: boolean }) =>
      print(
        json
          ? JSON.stringify({ version, node: process.version, upgradesFrom })
          : `attribution ${version} (Node ${process.version}; it can upgrade databases from version ${upgradesFrom} and later)`,
      ),
    );
}
