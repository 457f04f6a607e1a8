import { type Command, Option } from 'commander';
import type { CommandTools } from './command-tools.ts';
import { nameOption, type Role, roles } from './service/roles.ts';

/** The service's modules are loaded only when the command runs. */
export function addServeCommand(program: Command, { config, environment, print }: CommandTools): void {
  program
    .command('serve')
    .description('Run the service. Without DATABASE_URL, it runs an embedded PostgreSQL in DATA_DIR.')
    .addOption(
      new Option('--role <role>', 'role of this process; any number of processes may share a database')
        .choices(roles)
        .default('all'),
    )
    .addOption(new Option(`${nameOption} <name>`, 'name that a supervisor gives this process').hideHelp())
    .action(async ({ role, supervisedAs = null }: { role: Role; supervisedAs?: string | null }) => {
      const warnings: string[] = [];
      const read = config((unknown) => warnings.push(unknown));
      const { runService } = await import('./service/run-service.ts');
      await runService(read, { role, name: supervisedAs, environment, print, warnings });
    });
}
