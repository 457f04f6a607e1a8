import { Command, CommanderError, Option } from 'commander';
import { type CommandTools, commandTools, type Surroundings } from './cli/command-tools.ts';
import { printable } from './cli/printable.ts';
import { type Role, roles } from './cli/roles.ts';
import { ConfigError, version } from './platform/config.ts';
import { connectionWords } from './platform/database/connections/connection-words.ts';
import { OperatorError } from './platform/operator-error.ts';
import { programAsTyped } from './platform/program-name.ts';
import { Refusal } from './platform/refusal.ts';
import { requireKey } from './platform/secrets/sealer.ts';

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

const addMoneyCommands = async (): Promise<AddCommands> =>
  (await import('./cli/money-commands.ts')).addMoneyCommands;

/** Those that are declared below, and load what they do when they do it. */
const ownCommands = new Set(['serve', 'migrate', 'provision', 'doctor', 'version']);

/**
 * The commands that have a file of their own. A command loads its own file alone, so that it starts soon; words
 * that name no command, such as --help, load them all.
 */
const families: Readonly<Record<string, () => Promise<AddCommands>>> = {
  keys: async () => (await import('./cli/key-commands.ts')).addKeyCommands,
  'auth-codes': async () => (await import('./cli/auth-code-commands.ts')).addAuthCodeCommands,
  explain: addMoneyCommands,
  payouts: addMoneyCommands,
  ledger: addMoneyCommands,
  members: async () => (await import('./cli/member-commands.ts')).addMemberCommands,
  webhooks: async () => (await import('./cli/webhook-commands.ts')).addWebhookCommands,
  secrets: async () => (await import('./cli/secret-commands.ts')).addSecretCommands,
  audit: async () => (await import('./cli/audit.ts')).addAuditCommands,
  bounties: async () => (await import('./cli/bounty-commands.ts')).addBountyCommands,
};

function familiesFor(word: string | undefined): Set<() => Promise<AddCommands>> {
  if (word !== undefined && ownCommands.has(word)) return new Set();
  const named = word !== undefined && Object.hasOwn(families, word) ? families[word] : undefined;
  return new Set(named === undefined ? Object.values(families) : [named]);
}

async function commandLine(
  word: string | undefined,
  tools: CommandTools,
  { stdout, stderr }: Surroundings,
): Promise<Command> {
  const { print, warn, config, withDatabase, readText, fail } = tools;
  const program = new Command(programAsTyped)
    .description('Credits purchases to creators, and pays them.')
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

  program
    .command('serve')
    .description('Run the service. Without DATABASE_URL it brings its own PostgreSQL, in DATA_DIR.')
    .addOption(
      new Option('--role <role>', 'what this process does; any number of either may share a database')
        .choices(roles)
        .default('all'),
    )
    .action(async ({ role }: { role: Role }) => {
      const read = config();
      const { serve } = await import('./cli/serve.ts');
      await serve(read, role, print);
    });

  program
    .command('migrate')
    .description('Bring the database up to date. Safe to run from several machines at once.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { joinInstallation } = await import('./cli/open-installation.ts');
      const { prepareDatabase } = await import('./platform/database/schema/prepare-database.ts');
      const { sealPlainSecrets } = await import('./cli/secrets.ts');
      const installation = await joinInstallation(config());
      try {
        requireKey(installation.sealer);
        const applied = await prepareDatabase(installation, { onWait: warn });
        await sealPlainSecrets(installation);
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
      const { readProgramFile } = await import('./program-file/read-program.ts');
      const { applyProgramFile, printAppliedProgram } = await import('./program-file/apply-program.ts');
      const program = readProgramFile(await readText(file), file);
      await withDatabase(async (db) => {
        const applied = await applyProgramFile(db, program);
        printAppliedProgram(applied, json === true, print);
      });
    });

  for (const load of familiesFor(word)) (await load())(program, tools);

  program
    .command('doctor')
    .description('Look at the database and the settings, and say what to do.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { examine } = await import('./cli/doctor.ts');
      const findings = await examine(config());
      if (json) print(JSON.stringify({ findings }));
      else
        for (const { check, state, message } of findings)
          print(`${marks[state]} ${check.padEnd(20)} ${message}`);
      if (findings.some(({ state }) => state === 'problem')) fail();
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
