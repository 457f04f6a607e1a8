import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../platform/operator-error.ts';
import { jsonOption, toJson } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import type { Verified } from './installation/backup/verify-backup.ts';
import { grouped } from './print/grouped.ts';
import { ledgerWords } from './print/ledger-words.ts';
import { urlOption } from './url-option.ts';

/** backup: takes one, and looks whether it is one. */
export function addBackupCommands(program: Command, tools: CommandTools): void {
  const backup = program.command('backup').description('Take a backup, and prove that one can be restored.');
  backup
    .command('create')
    .description(
      "Take a backup with PostgreSQL's pg_dump, and write beside it what is in it. The service goes on.",
    )
    .requiredOption('--to <file>', 'the file to make; FILE.json says what is in it')
    .addOption(jsonOption())
    .action((options: CreateWords) => create(tools, options));
  backup
    .command('verify')
    .description(
      'Restore a backup for a while, and prove what is in it (exit code 1 when something is wrong).',
    )
    .argument('[file]', 'what `backup create` or pg_dump wrote, in any format but plain')
    .addOption(urlOption('--scratch <url>', 'restore it on this server, in a database of its own'))
    .addOption(
      urlOption(
        '--restored <url>',
        'instead of a file: a database that was restored; it is only read',
      ).conflicts('scratch'),
    )
    .option('--manifest <file>', 'what the backup is said to hold; FILE.json where there is one')
    .addOption(jsonOption())
    .action((file: string | undefined, options: VerifyWords) => verify(tools, file, options));
}

interface CreateWords {
  to: string;
  json?: boolean;
}

async function create(
  { config, print, toolEnvironment }: CommandTools,
  { to, json }: CreateWords,
): Promise<void> {
  const { createBackup } = await import('./installation/backup/create-backup.ts');
  const manifest = await createBackup(config(), resolve(to), toolEnvironment);
  const tables = Object.values(manifest.tables);
  const rows = tables.reduce((all, sum) => all + sum.rows, 0);
  if (json) print(toJson({ file: to, rows, tables: tables.length }));
  else
    print(
      `${to} holds ${grouped(rows)} rows of ${tables.length} tables, and ${to}.json says which. The secrets in it are sealed: keep SECRETS_KEY elsewhere.`,
    );
}

interface VerifyWords {
  scratch?: string;
  restored?: string;
  manifest?: string;
  json?: boolean;
}

async function verify(
  { config, print, warn, fail, toolEnvironment }: CommandTools,
  file: string | undefined,
  { scratch, restored, manifest, json }: VerifyWords,
): Promise<void> {
  if ((file === undefined) === (restored === undefined))
    throw new OperatorError('Name a file, or a restored database by --restored, and not both.');
  const { verifyBackup } = await import('./installation/backup/verify-backup.ts');
  const verified = await verifyBackup(config(), {
    backup:
      restored === undefined
        ? { kind: 'archive', file: resolve(file ?? ''), scratch: scratch ?? null }
        : { kind: 'restored', url: restored },
    manifest: manifest === undefined ? null : resolve(manifest),
    environment: toolEnvironment,
    tell: json ? () => undefined : warn,
  });
  const isGood =
    verified.ledger.isSound &&
    (verified.differing ?? []).length === 0 &&
    verified.findings.every(({ state }) => state !== 'problem');
  if (!isGood) fail();
  if (json) print(toJson({ isGood, ...verified }));
  else for (const line of inWords(verified, isGood)) print(line);
}

function inWords({ rows, differing, migrated, findings, ledger }: Verified, isGood: boolean): string[] {
  return [
    `${grouped(rows)} rows were restored.`,
    ...(differing === null ? ['There is no manifest, so they were compared with nothing.'] : []),
    ...(differing?.length === 0 ? ['They are those of the manifest, in every table.'] : []),
    ...(differing ?? []).map((each) => `PROBLEM rows: ${each}.`),
    ...(migrated.length > 0 ? [`It is of an older version; applied to it: ${migrated.join(', ')}.`] : []),
    ...findings
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state, message }) => `${state === 'problem' ? 'PROBLEM' : state} ${check}: ${message}`),
    ...ledgerWords(ledger),
    isGood ? 'The backup is good.' : 'THE BACKUP IS NOT GOOD.',
  ];
}
