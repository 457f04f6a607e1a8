import { Command, CommanderError } from 'commander';
import { type CommandTools, commandTools, type Surroundings } from './cli/command-tools.ts';
import { printable } from './cli/print/printable.ts';
import { ConfigError, version } from './platform/config.ts';
import { explainConnectionError } from './platform/database/connections/explain-connection-error.ts';
import { OperatorError } from './platform/operator-error.ts';
import { commandName } from './platform/program-name.ts';
import { Refusal } from './platform/refusal.ts';

/**
 * @param argv arguments after the executable's name
 * @returns the exit code: 0 success, 1 failure, 2 invalid arguments or settings
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
  // If a reader closes the pipe (`attribution … | head`), the command must continue without an error. It also succeeds
  // if its work is done but its output can't be written.
  surroundings.stderr.on('error', () => undefined);
  surroundings.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || exitCode === 1 || isDone) return;
    exitCode = 1;
    surroundings.stderr.write(`Couldn't write the output: ${error.message}\n`);
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
 * Commands by first word, in the order in which they appear in the help. For a fast start, only the given command's
 * file is loaded. If the arguments don't contain a command, as with --help, all files are loaded.
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
  holds: async () => (await import('./cli/holds.ts')).addHoldCommands,
  payees: async () => (await import('./cli/payees.ts')).addPayeeCommands,
  refunds: async () => (await import('./cli/refunds.ts')).addRefundCommands,
  gates: async () => (await import('./cli/gates.ts')).addGateCommands,
  ledger: async () => (await import('./cli/ledger.ts')).addLedgerCommands,
  members: async () => (await import('./cli/members.ts')).addMemberCommands,
  buyers: async () => (await import('./cli/buyers.ts')).addBuyerCommands,
  connectors: async () => (await import('./cli/connectors.ts')).addConnectorCommands,
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
  const program = new Command(commandName)
    .description('Credits purchases to creators and pays them their shares.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText(
      'after',
      '\nSettings are read from the environment; docs/configuration.md lists them.\nExit codes: 0 success, 1 failure, 2 invalid arguments or settings.',
    )
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({
      writeOut: (text) => void stdout.write(printable(text)),
      writeErr: (text) => void stderr.write(printable(text)),
    })
    .exitOverride();
  for (const load of familiesFor(word)) (await load())(program, tools);
  return program;
}

/** @returns the exit code */
function report(error: unknown, { stderr }: Surroundings): number {
  const print = (text: string) => void stderr.write(`${printable(text)}\n`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    print(error.message);
    return 2;
  }
  const message =
    error instanceof OperatorError || error instanceof Refusal
      ? error.message
      : explainConnectionError(error);
  print(message ?? (error instanceof Error ? error.stack : null) ?? String(error));
  return 1;
}
