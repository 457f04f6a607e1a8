import type { Command } from 'commander';
import { jsonOption, toJson } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import type { Moved, MoveVoice } from './installation/move/move-installation.ts';
import { grouped } from './print/grouped.ts';
import { ledgerWords } from './print/ledger-words.ts';
import { urlOption } from './url-option.ts';

interface MoveWords {
  to: string;
  toOwner?: string;
  json?: boolean;
}

/** move: an installation's data to another database. */
export function addMoveCommand(program: Command, tools: CommandTools): void {
  program
    .command('move')
    .description('Copy all data to an empty database on a server, and prove that they arrived.')
    .addOption(
      urlOption('--to <url>', 'the database, as the service will connect to it').makeOptionMandatory(),
    )
    .addOption(urlOption('--to-owner <url>', 'the same, as the role that is to own the tables'))
    .addOption(jsonOption())
    .action(async ({ json = false, ...urls }: MoveWords) => {
      const config = tools.config(json ? undefined : tools.warn);
      const { moveInstallation } = await import('./installation/move/move-installation.ts');
      const moved = await moveInstallation(config, urls, voiceOf(tools));
      report(tools, moved, json);
      if (!json) tools.print(nextSteps(config.databaseUrl === null ? config.dataDir : null));
    });
}

const tellEveryMs = { terminal: 1_000, log: 60_000 };

function voiceOf({ warn, isWatched }: CommandTools): MoveVoice {
  const everyMs = isWatched ? tellEveryMs.terminal : tellEveryMs.log;
  let toldAt = performance.now();
  return {
    tell: warn,
    onProgress(table, bytes) {
      if (performance.now() - toldAt < everyMs) return;
      toldAt = performance.now();
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
  for (const line of ledgerWords(ledger)) print(line);
  for (const { check, state, message } of findings)
    if (state !== 'ok') print(`${state === 'problem' ? 'PROBLEM' : state} ${check}: ${message}`);
  if (problems.length === 0) print('The doctor finds no problem there.');
}

const nextSteps = (dataDir: string | null): string =>
  dataDir === null
    ? 'From now on start the service with that DATABASE_URL and the same SECRETS_KEY. The old database is as it was.'
    : `From now on start the service with that DATABASE_URL, and with SECRETS_KEY set to what ${dataDir}/secrets.key holds. The old database is as it was: do not start the service on it again.`;
