import { Command, CommanderError } from 'commander';
import { type CommandTools, commandTools, type Surroundings } from './cli/command-tools.ts';
import { printable } from './cli/print/printable.ts';
import { ConfigError, version } from './platform/config.ts';
import { connectionWords } from './platform/database/connections/connection-words.ts';
import { OperatorError } from './platform/operator-error.ts';
import { programAsTyped } from './platform/program-name.ts';
import { Refusal } from './platform/refusal.ts';

/**
 * The command line: runs one command to its end.
 * @param argv the words after the program's name
 * @returns the exit code: 0 done, 1 could not be done, 2 the words or the settings are wrong
 */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  let isDone = false;
  const tools = commandTools(surroundings, {
    fail() {
      exitCode = 1;
    },
    done() {
      isDone = true;
    },
  });
  // A reader that has seen enough (`attribution … | head`) stops no work under way, and is nothing to talk about; and
  // what was done is done, whether or not it can be said.
  surroundings.stderr.on('error', () => undefined);
  surroundings.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || exitCode === 1 || isDone) return;
    exitCode = 1;
    surroundings.stderr.write(`What was done could not be printed: ${error.message}\n`);
  });
  try {
    const program = await commandLine(argv[0], tools, surroundings);
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    exitCode = report(error, surroundings);
  }
  await new Promise<void>((resolve) => surroundings.stdout.write('', () => resolve()));
  return exitCode;
}

type AddCommands = (program: Command, tools: CommandTools) => void;

/**
 * The commands, by their first word, in the order of the help. A command loads its own file alone, so that it starts
 * soon; words that name no command, such as --help, load them all.
 */
const families: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./cli/serve.ts')).addServeCommand,
  migrate: async () => (await import('./cli/migrate.ts')).addMigrateCommand,
  provision: async () => (await import('./cli/provision.ts')).addProvisionCommand,
  program: async () => (await import('./cli/program.ts')).addProgramCommands,
  keys: async () => (await import('./cli/keys.ts')).addKeyCommands,
  'auth-codes': async () => (await import('./cli/auth-codes.ts')).addAuthCodeCommands,
  explain: async () => (await import('./cli/explain.ts')).addExplainCommand,
  payouts: async () => (await import('./cli/payouts.ts')).addPayoutCommands,
  ledger: async () => (await import('./cli/ledger.ts')).addLedgerCommands,
  members: async () => (await import('./cli/members.ts')).addMemberCommands,
  webhooks: async () => (await import('./cli/webhooks.ts')).addWebhookCommands,
  secrets: async () => (await import('./cli/secrets.ts')).addSecretCommands,
  backup: async () => (await import('./cli/backup.ts')).addBackupCommands,
  move: async () => (await import('./cli/move.ts')).addMoveCommand,
  audit: async () => (await import('./cli/audit.ts')).addAuditCommands,
  bounties: async () => (await import('./cli/bounties.ts')).addBountyCommands,
  staff: async () => (await import('./cli/staff.ts')).addStaffCommands,
  doctor: async () => (await import('./cli/doctor.ts')).addDoctorCommand,
  health: async () => (await import('./cli/health.ts')).addHealthCommand,
  version: async () => (await import('./cli/version.ts')).addVersionCommand,
};

function familiesFor(word: string | undefined): Set<() => Promise<AddCommands>> {
  const named = word !== undefined && Object.hasOwn(families, word) ? families[word] : undefined;
  return new Set(named === undefined ? Object.values(families) : [named]);
}

async function commandLine(
  word: string | undefined,
  tools: CommandTools,
  { stdout, stderr }: Surroundings,
): Promise<Command> {
  const program = new Command(programAsTyped)
    .description('Credits purchases to creators, and pays them.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText(
      'after',
      '\nSettings come from the environment; docs/configuration.md lists them.\nExit codes: 0 done, 1 could not be done, 2 wrong words or settings.',
    )
    .showHelpAfterError('(add --help for what it takes)')
    .configureOutput({
      writeOut: (text) => void stdout.write(printable(text)),
      writeErr: (text) => void stderr.write(printable(text)),
    })
    .exitOverride();
  for (const load of familiesFor(word)) (await load())(program, tools);
  return program;
}

/** Says what went wrong, once, in words. */
function report(error: unknown, { stderr }: Surroundings): number {
  const say = (text: string) => void stderr.write(`${printable(text)}\n`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    say(error.message);
    return 2;
  }
  const words =
    error instanceof OperatorError || error instanceof Refusal ? error.message : connectionWords(error);
  say(words ?? (error instanceof Error ? error.stack : null) ?? String(error));
  return 1;
}
