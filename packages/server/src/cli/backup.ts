import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../platform/operator-error.ts';
import { jsonOption, toJson } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import type { Verified } from './installation/backup/verify-backup.ts';
import { describeVerdict } from './print/describe-verdict.ts';
import { grouped } from './print/grouped.ts';
import { urlOption } from './url-option.ts';

export function addBackupCommands(program: Command, tools: CommandTools): void {
  const backup = program.command('backup').description('Take a backup, or verify that one can be restored.');
  backup
    .command('create')
    .description(
      "Take a backup with PostgreSQL's pg_dump, and write a manifest of its contents. The service keeps running.",
    )
    .requiredOption('--to <file>', 'file to create; the manifest is FILE.json')
    .addOption(jsonOption())
    .action((options: CreateOptions) => create(tools, options));
  backup
    .command('verify')
    .description('Restore a backup temporarily and verify its contents (exit code 1 if something is wrong).')
    .argument('[file]', 'file from `backup create` or pg_dump, in any format except plain')
    .addOption(urlOption('--scratch <url>', 'restore the backup into a new database on this server'))
    .addOption(
      urlOption('--restored <url>', 'check this restored database (read-only) instead of a file').conflicts(
        'scratch',
      ),
    )
    .option('--manifest <file>', 'manifest of the backup (default: FILE.json, if it exists)')
    .addOption(jsonOption())
    .action((file: string | undefined, options: VerifyOptions) => verify(tools, file, options));
}

interface CreateOptions {
  to: string;
  json?: boolean;
}

async function create(
  { config, print, toolEnvironment }: CommandTools,
  { to, json }: CreateOptions,
): Promise<void> {
  const { createBackup } = await import('./installation/backup/create-backup.ts');
  const manifest = await createBackup(config(), resolve(to), toolEnvironment);
  const tables = Object.values(manifest.tables);
  const rows = tables.reduce((all, sum) => all + sum.rows, 0);
  if (json) print(toJson({ file: to, rows, tables: tables.length }));
  else
    print(
      `${to} contains ${grouped(rows)} rows from ${tables.length} tables; ${to}.json is its manifest. Its secrets are encrypted with SECRETS_KEY, so store that key separately.`,
    );
}

interface VerifyOptions {
  scratch?: string;
  restored?: string;
  manifest?: string;
  json?: boolean;
}

async function verify(
  { config, print, warn, fail, toolEnvironment }: CommandTools,
  file: string | undefined,
  { scratch, restored, manifest, json }: VerifyOptions,
): Promise<void> {
  if ((file === undefined) === (restored === undefined))
    throw new OperatorError('Specify either a file or --restored, but not both.');
  const { verifyBackup } = await import('./installation/backup/verify-backup.ts');
  const verified = await verifyBackup(config(), {
    backup:
      restored === undefined
        ? { kind: 'archive', file: resolve(file ?? ''), scratch: scratch ?? null }
        : { kind: 'restored', url: restored },
    manifest: manifest === undefined ? null : resolve(manifest),
    environment: toolEnvironment,
    report: json ? () => undefined : warn,
  });
  const isGood =
    verified.ledger.isSound &&
    (verified.differing ?? []).length === 0 &&
    verified.findings.every(({ state }) => state !== 'problem');
  if (!isGood) fail();
  if (json) print(toJson({ isGood, ...verified }));
  else for (const line of describe(verified, isGood)) print(line);
}

function describe({ rows, differing, migrated, findings, ledger }: Verified, isGood: boolean): string[] {
  return [
    `${grouped(rows)} rows were restored.`,
    ...(differing === null ? ['There is no manifest to compare them with.'] : []),
    ...(differing?.length === 0 ? ['The rows of all tables match the manifest.'] : []),
    ...(differing ?? []).map((each) => `PROBLEM rows: ${each}.`),
    ...(migrated.length > 0
      ? [
          `The backup is from an older version. Migrations applied to the restored copy: ${migrated.join(', ')}.`,
        ]
      : []),
    ...findings
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state, message }) => `${state === 'problem' ? 'PROBLEM' : state} ${check}: ${message}`),
    ...describeVerdict(ledger),
    isGood ? 'The backup is good.' : 'THE BACKUP IS NOT GOOD.',
  ];
}
