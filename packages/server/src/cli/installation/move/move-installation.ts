import type { Config } from '../../../platform/config.ts';
import type { CopiedTable } from '../../../platform/database/copy/copied-tables.ts';
import { isSameSum, sumTable } from '../../../platform/database/copy/table-sums.ts';
import {
  endMove,
  moveTable,
  readDone,
  recreateNext,
} from '../../../platform/database/copy/unfinished-move.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import type { LedgerVerdict } from '../../../settlement/verify/verify-ledger.ts';
import { grouped } from '../../print/grouped.ts';
import { examineInstallation } from '../examine-installation.ts';
import type { Finding } from '../finding.ts';
import { proveLedger } from '../prove-ledger.ts';
import { type MoveSource, openSource } from './open-source.ts';
import { type MoveTarget, openTarget, type TargetUrls } from './open-target.ts';

export interface Moved {
  tables: number;
  rows: number;
  seconds: { copied: number; indexed: number; compared: number };
  ledger: LedgerVerdict;
  findings: Finding[];
}

export interface MoveVoice {
  /** A step that is done, or what is waited for. */
  tell(line: string): void;
  /** How far the table under way is; called often. */
  onProgress(table: string, bytes: number): void;
}

/**
 * Moves an installation's data to another database, and proves that they arrived. Killed at any moment it goes on when it is
 * called again; until it is done nothing runs on the database that is moved to (docs/adr/0044-backups.md).
 * @throws OperatorError in words
 */
export async function moveInstallation(config: Config, urls: TargetUrls, voice: MoveVoice): Promise<Moved> {
  const source = await openSource(config, voice.tell);
  try {
    const target = await openTarget(urls, source, voice.tell);
    const moved = await move({ source, target, voice }).finally(() =>
      target.client.end().catch(() => undefined),
    );
    return {
      ...moved,
      ledger: await proveLedger(target.connection),
      findings: await examineInstallation({
        ...config,
        databaseUrl: urls.to,
        databaseOwnerUrl: urls.toOwner ?? null,
        secretsKeys: source.installation.keys,
      }),
    };
  } finally {
    await source.client.end().catch(() => undefined);
    await source.installation.close();
  }
}

interface Move {
  source: MoveSource;
  target: MoveTarget;
  voice: MoveVoice;
}

async function move({ source, target, voice }: Move): Promise<Pick<Moved, 'tables' | 'rows' | 'seconds'>> {
  const rows = await timed(() => copyTables({ source, target, voice }));
  await source.client.query('rollback'); // and look at it anew: nobody may have changed it meanwhile
  const indexed = await timed(async () => {
    while ((await recreateNext(target.client)) !== null);
    await target.client.query('analyze');
  });
  voice.tell(`Indexes and foreign keys are made (${words(indexed.seconds)}).`);
  const compared = await timed(() => compare({ source, target, voice }));
  await endMove(target.client);
  return {
    tables: source.tables.length,
    rows: rows.result,
    seconds: { copied: rows.seconds, indexed: indexed.seconds, compared: compared.seconds },
  };
}

async function copyTables({ source, target, voice }: Move): Promise<number> {
  const done = await readDone(target.client);
  let rows = 0;
  for (const table of source.tables) {
    const before = done.get(table.name);
    if (before !== undefined) {
      rows += before;
      if (before > 0) voice.tell(`${table.name}: ${grouped(before)} rows were there already.`);
      continue;
    }
    let bytes = 0;
    const { result, seconds } = await timed(() =>
      moveTable({ from: source.client, to: target.client }, table, (more) => {
        bytes += more;
        voice.onProgress(table.name, bytes);
      }),
    );
    rows += result;
    if (result > 0)
      voice.tell(
        `${table.name}: ${grouped(result)} rows, ${megabytes(bytes)} (${words(seconds)}, ${grouped(Math.round(result / seconds))} rows a second).`,
      );
  }
  return rows;
}

/** Both sides are read at once. @throws OperatorError when they are not the same */
async function compare({ source, target, voice }: Move): Promise<void> {
  await source.client.query('begin isolation level repeatable read read only');
  for (const table of source.tables) await compareTable({ source, target, voice }, table);
  await source.client.query('rollback');
  voice.tell('Every table has the same rows on both sides.');
}

async function compareTable({ source, target, voice }: Move, table: CopiedTable): Promise<void> {
  const [ours, theirs] = await Promise.all([sumTable(source.client, table), sumTable(target.client, table)]);
  if (!isSameSum(ours, theirs))
    throw new OperatorError(
      `Table ${table.name} is not the same on both sides (${grouped(ours.rows)} rows here, ${grouped(theirs.rows)} there): something wrote to a database while it was moved, or between two runs. Stop everything that uses either, make the new database anew, and begin again.`,
    );
  voice.onProgress(`comparing ${table.name}`, 0);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000 };
}

const words = (seconds: number): string => `${seconds.toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
