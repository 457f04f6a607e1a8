import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { type IssueAuthCodeOptions, issueAuthCodeCommand } from './cli/auth-codes.ts';
import { addBountyCommands } from './cli/bounty-commands.ts';
import { examine } from './cli/doctor.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './cli/keys.ts';
import { addMemberCommands } from './cli/member-commands.ts';
import { addMoneyCommands } from './cli/money-commands.ts';
import { joinInstallation } from './cli/open-installation.ts';
import { type Role, roles, serve } from './cli/serve.ts';
import { addWebhookCommands } from './cli/webhook-commands.ts';
import { systemClock } from './platform/clock.ts';
import { ConfigError, readConfig, version } from './platform/config.ts';
import { type Db, openDatabase } from './platform/database/database.ts';
import { isUnavailable } from './platform/database/database-errors.ts';
import { migrate, schemaState } from './platform/database/migrate.ts';
import { OperatorError } from './platform/operator-error.ts';
import { applyProgramFile, printAppliedProgram } from './program-file/apply-program.ts';
import { readProgramFile } from './program-file/read-program.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const warn = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The command line. Exit codes: 0 done, 1 could not be done, 2 the words or the settings are wrong. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await commandLine().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function commandLine(): Command {
  const program = new Command('attribution')
    .description('Credits purchases to creators, and pays them.')
    .addHelpText(
      'after',
      '\nSettings come from the environment; docs/configuration.md lists them.\nExit codes: 0 done, 1 could not be done, 2 wrong words or settings.',
    )
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride();

  program
    .command('serve')
    .description('Run the service. Without DATABASE_URL it brings its own PostgreSQL, in DATA_DIR.')
    .addOption(
      new Option('--role <role>', 'what this process does; any number of either may share a database')
        .choices(roles)
        .default('all'),
    )
    .action(({ role }: { role: Role }) => serve(readConfig(), role, print));

  program
    .command('migrate')
    .description('Bring the database up to date. Safe to run from several machines at once.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const installation = await joinInstallation(readConfig());
      try {
        const applied = await migrate(installation.connection, { onWait: warn });
        if (json) print(JSON.stringify({ applied }));
        else print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
      } finally {
        await installation.close();
      }
    });

  program
    .command('provision')
    .argument('<file>', 'YAML or JSON, see docs/program-file.md; - reads standard input')
    .description(
      'Apply a program file: what it names is made or changed, what it does not name is left alone.',
    )
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const program = readProgramFile(readText(file), file);
      await withDatabase(async (db) => {
        const applied = await applyProgramFile(db, program);
        printAppliedProgram(applied, json === true, print);
      });
    });

  const keys = program.command('keys').description("Make, list and revoke a publisher's API keys.");
  const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
  keys
    .command('create')
    .description('Make an API key and print it, once.')
    .addOption(publisher())
    .addOption(
      new Option('--kind <kind>', 'secret for back ends, public for clients')
        .choices(['secret', 'public'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'a name to know it by')
    .option('--group <id>', 'let it work for one group only')
    .option('--expires <date>', 'a day or a timestamp from which it is refused')
    .option('--json', 'print JSON')
    .action((options) => withDatabase((db) => createKeyCommand(db, options, systemClock.now(), print)));
  keys
    .command('list')
    .description('List API keys, revoked ones included.')
    .addOption(publisher())
    .option('--json', 'print JSON')
    .action((options) => withDatabase((db) => listKeysCommand(db, options, systemClock.now(), print)));
  keys
    .command('revoke')
    .argument('<keyId>', 'the ID that `keys list` shows')
    .description('Revoke an API key.')
    .addOption(publisher())
    .option('--json', 'print JSON')
    .action((keyId: string, options) =>
      withDatabase((db) => revokeKeyCommand(db, options, keyId, systemClock.now(), print)),
    );

  program
    .command('auth-codes')
    .description('Auth codes, by which creators link their accounts to players.')
    .command('issue')
    .description('Make an auth code for a member and print it, once; it is good for 30 minutes.')
    .addOption(publisher())
    .option('--member <id>', "the member's account")
    .option('--player <id>', 'or its playerId')
    .option('--group <id>', 'the group of the playerId; the default group when absent')
    .option('--json', 'print JSON')
    .action((options: IssueAuthCodeOptions) =>
      withDatabase((db) => issueAuthCodeCommand(db, options, systemClock.now(), print)),
    );

  addMoneyCommands(program, withDatabase, print);
  addMemberCommands(program, withDatabase, print);
  addWebhookCommands(program, withDatabase, print);
  addBountyCommands(program, withDatabase, readText, print);

  program
    .command('doctor')
    .description('Look at the database and the settings, and say what to do.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(readConfig());
      if (json) print(JSON.stringify({ findings }));
      else
        for (const { check, state, message } of findings)
          print(`${marks[state]} ${check.padEnd(20)} ${message}`);
      if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
    });

  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      print(
        json
          ? JSON.stringify({ version, node: process.version })
          : `attribution ${version} (Node ${process.version})`,
      ),
    );
  return program;
}

const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

/** A command may read a whole ledger or stamp a million payments, and nobody but its caller waits for it. */
const commandQueryTimeoutMs = 3_600_000;

/** Opens the database for a command; its schema must be this program's. */
async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const config = readConfig();
  const installation = await joinInstallation(config);
  try {
    if (installation.isEmbedded) await migrate(installation.connection, { onWait: warn });
    const database = openDatabase({
      connection: installation.connection,
      poolSize: 2,
      recordLanes: 1,
      applicationName: 'attribution-command',
      queryTimeoutMs: commandQueryTimeoutMs,
    });
    try {
      const state = await schemaState(database.recording);
      if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
      if (state.kind === 'empty' || state.kind === 'behind')
        throw new OperatorError('The database is not up to date. Run `attribution migrate` first.');
      await work(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await installation.close();
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Says what went wrong, once, in words. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  const message = error instanceof Error ? error.message || String(error) : String(error);
  if (error instanceof OperatorError) process.stderr.write(`${message}\n`);
  else if (isUnavailable(error)) {
    process.stderr.write(
      `The database cannot be reached: ${message}. \`attribution doctor\` looks closer.\n`,
    );
  } else process.stderr.write(`${error instanceof Error ? (error.stack ?? message) : message}\n`);
  return 1;
}
