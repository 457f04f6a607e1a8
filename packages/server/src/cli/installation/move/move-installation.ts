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

export interface MoveReporter {
  /** Called when a step completes or has to wait. */
  report(line: string): void;
  /** Called often with the progress of the current table. */
  onProgress(table: string, bytes: number): void;
}

/**
 * Moves an installation's data to another database and verifies the copy. If the process was killed during a
 * move, calling this function again resumes the move. Until the move is complete, the service can't run on
 * the target (docs/adr/0044-backups.md).
 * @throws OperatorError when the data can't be moved
 */
export async function moveInstallation(
  config: Config,
  urls: TargetUrls,
  reporter: MoveReporter,
): Promise<Moved> {
  const source = await openSource(config, reporter.report);
  try {
    const target = await openTarget(urls, source, reporter.report);
    const moved = await move({ source, target, reporter }).finally(() =>
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
  reporter: MoveReporter;
}

async function move({ source, target, reporter }: Move): Promise<Pick<Moved, 'tables' | 'rows' | 'seconds'>> {
  const rows = await timed(() => copyTables({ source, target, reporter }));
  await source.client.query('rollback'); // compare() takes a new snapshot to find changes made during the copy
  const indexed = await timed(async () => {
    while ((await recreateNext(target.client)) !== null);
    await target.client.query('analyze');
  });
  reporter.report(`Created indexes and foreign keys (${inSeconds(indexed.seconds)}).`);
  const compared = await timed(() => compare({ source, target, reporter }));
  await endMove(target.client);
  return {
    tables: source.tables.length,
    rows: rows.result,
    seconds: { copied: rows.seconds, indexed: indexed.seconds, compared: compared.seconds },
  };
}

async function copyTables({ source, target, reporter }: Move): Promise<number> {
  const done = await readDone(target.client);
  let rows = 0;
  for (const table of source.tables) {
    const before = done.get(table.name);
    if (before !== undefined) {
      rows += before;
      if (before > 0) reporter.report(`${table.name}: ${grouped(before)} rows were already copied.`);
      continue;
    }
    let bytes = 0;
    const { result, seconds } = await timed(() =>
      moveTable({ from: source.client, to: target.client }, table, (more) => {
        bytes += more;
        reporter.onProgress(table.name, bytes);
      }),
    );
    rows += result;
    if (result > 0)
      reporter.report(
        `${table.name}: ${grouped(result)} rows, ${megabytes(bytes)} (${inSeconds(seconds)}, ${grouped(Math.round(result / seconds))} rows per second).`,
      );
  }
  return rows;
}

/** Compares all tables of both databases. @throws OperatorError when the tables differ */
async function compare({ source, target, reporter }: Move): Promise<void> {
  await source.client.query('begin isolation level repeatable read read only');
  for (const table of source.tables) await compareTable({ source, target, reporter }, table);
  await source.client.query('rollback');
  reporter.report('Every table has the same rows in both databases.');
}

async function compareTable({ source, target, reporter }: Move, table: CopiedTable): Promise<void> {
  const [ours, theirs] = await Promise.all([sumTable(source.client, table), sumTable(target.client, table)]);
  if (!isSameSum(ours, theirs))
    throw new OperatorError(
      `Table ${table.name} differs between the databases (${grouped(ours.rows)} rows in the old one, ${grouped(theirs.rows)} in the new one), because one of them was written to during the move or between two runs. Stop everything that uses either database, recreate the new one, and start over.`,
    );
  reporter.onProgress(`comparing ${table.name}`, 0);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000 };
}

const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
