import { type Command, Option } from 'commander';
import type { CommandTools } from './command-tools.ts';
import { type Role, roles } from './service/roles.ts';

/** The service's modules are loaded only when the command runs. */
export function addServeCommand(program: Command, { config, print }: CommandTools): void {
  program
    .command('serve')
    .description('Run the service. Without DATABASE_URL, it runs an embedded PostgreSQL in DATA_DIR.')
    .addOption(
      new Option('--role <role>', 'role of this process; any number of processes may share a database')
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
