import type { Command } from 'commander';
import { jsonOption, toJson } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import type { Moved, MoveReporter } from './installation/move/move-installation.ts';
import { describeVerdict } from './print/describe-verdict.ts';
import { grouped } from './print/grouped.ts';
import { urlOption } from './url-option.ts';

interface MoveOptions {
  to: string;
  toOwner?: string;
  json?: boolean;
}

export function addMoveCommand(program: Command, tools: CommandTools): void {
  program
    .command('move')
    .description('Copy all data to an empty database on a server, and verify the copy.')
    .addOption(urlOption('--to <url>', 'database URL that the service will use').makeOptionMandatory())
    .addOption(
      urlOption('--to-owner <url>', 'URL of the same database, for the role that will own the tables'),
    )
    .addOption(jsonOption())
    .action(async ({ json = false, ...urls }: MoveOptions) => {
      const config = tools.config(json ? undefined : tools.warn);
      const { moveInstallation } = await import('./installation/move/move-installation.ts');
      const moved = await moveInstallation(config, urls, reporterOf(tools));
      report(tools, moved, json);
      if (!json) tools.print(nextSteps(config.databaseUrl === null ? config.dataDir : null));
    });
}

const reportEveryMs = { terminal: 1_000, log: 60_000 };

function reporterOf({ warn, isWatched }: CommandTools): MoveReporter {
  const everyMs = isWatched ? reportEveryMs.terminal : reportEveryMs.log;
  let reportedAt = performance.now();
  return {
    report: warn,
    onProgress(table, bytes) {
      if (performance.now() - reportedAt < everyMs) return;
      reportedAt = performance.now();
      warn(bytes === 0 ? `${table} …` : `${table}: ${(bytes / 1e6).toFixed(0)} MB so far`);
    },
  };
}

function report({ print, fail }: CommandTools, { findings, ledger, ...moved }: Moved, json: boolean): void {
  const problems = findings.filter(({ state }) => state === 'problem');
  if (problems.length > 0 || !ledger.isSound) fail();
  if (json) {
    print(toJson({ ...moved, ledger, findings }));
    return;
  }
  const { copied, indexed, compared } = moved.seconds;
  print(
    `Moved ${grouped(moved.rows)} rows of ${moved.tables} tables: copied in ${copied.toFixed(1)} s, indexed in ${indexed.toFixed(1)} s, compared in ${compared.toFixed(1)} s.`,
  );
  for (const line of describeVerdict(ledger)) print(line);
  for (const { check, state, message } of findings)
    if (state !== 'ok') print(`${state === 'problem' ? 'PROBLEM' : state} ${check}: ${message}`);
  if (problems.length === 0) print('`doctor` found no problems with the new database.');
}

const nextSteps = (dataDir: string | null): string =>
  dataDir === null
    ? 'Now start the service with the new DATABASE_URL and the same SECRETS_KEY. The old database is unchanged.'
    : `Now start the service with the new DATABASE_URL, and with SECRETS_KEY set to the contents of ${dataDir}/secrets.key. The old database is unchanged; do not start the service on it again.`;
