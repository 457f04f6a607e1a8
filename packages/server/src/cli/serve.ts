import { type Command, Option } from 'commander';
import type { CommandTools } from './command-tools.ts';
import { type Role, roles } from './service/roles.ts';

/** serve: what runs until it is stopped. It loads what it runs when it runs it. */
export function addServeCommand(program: Command, { config, print }: CommandTools): void {
  program
    .command('serve')
    .description('Run the service. Without DATABASE_URL it brings its own PostgreSQL, in DATA_DIR.')
    .addOption(
      new Option('--role <role>', 'what this process does; any number of either may share a database')
        .choices(roles)
        .default('all'),
    )
    .action(async ({ role }: { role: Role }) => {
      const warnings: string[] = [];
      const read = config((unknown) => warnings.push(unknown));
      const { runService } = await import('./service/run-service.ts');
      await runService(read, { role, print, warnings });
    });
}
