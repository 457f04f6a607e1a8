import { type Database, openDatabase } from '../../platform/database/database.ts';
import { readCoveredIds } from '../../platform/database/days/make-days.ts';
import { type DiskUse, readDiskUse } from '../../platform/database/disk-use.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { asTyped } from '../../platform/program-name.ts';
import { sandboxesAmong } from '../../publishers/sandboxes.ts';
import { examineServerSettings } from './examine-server-settings.ts';
import type { Finding } from './finding.ts';
import type { Installation } from './open-installation.ts';

const dayMs = 86_400_000;
const enoughDays = 7;
const publishersShown = 5;

/**
 * Checks storage: partitions for the coming days, disk usage, and PostgreSQL's settings for the amount of
 * stored data.
 */
export async function examineStorage(
  { connection, isEmbedded }: Installation,
  now: Date,
): Promise<Finding[]> {
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'attribution-command',
  });
  try {
    const use = await readDiskUse(database.db);
    const purchaseBytes = use.tables.get('purchases') ?? 0;
    return [
      await checkDays(database, now),
      await checkDisk(database, use),
      ...(await examineServerSettings(database.db, { purchaseBytes, isEmbedded })),
    ];
  } finally {
    await database.close();
  }
}

async function checkDays({ db }: Database, now: Date): Promise<Finding> {
  const { end } = await readCoveredIds(db);
  const days = Math.floor((timeOfRowId(end).getTime() - now.getTime()) / dayMs);
  if (days >= enoughDays)
    return { check: 'partitions', state: 'ok', message: `There are partitions for the next ${days} days.` };
  const remedy = `Start \`${asTyped('serve')}\`, which creates more every hour, and check its log. Problems with its rights are listed below.`;
  return days >= 1
    ? {
        check: 'partitions',
        state: 'warning',
        message: `There are partitions for only ${days} more day(s). ${remedy}`,
      }
    : {
        check: 'partitions',
        state: 'problem',
        message: `There are no partitions for the coming days. Events are written to the last existing partition, and will be dropped with it. ${remedy}`,
      };
}

async function checkDisk({ db }: Database, { tables, publishers }: DiskUse): Promise<Finding> {
  const total = [...tables.values()].reduce((sum, bytes) => sum + bytes, 0);
  const parts = [...tables].map(([name, bytes]) => `${name} ${inMegabytes(bytes)}`).join(', ');
  const shown = publishers.slice(0, publishersShown);
  const sandboxes = await sandboxesAmong(
    db,
    shown.map(({ publisherId }) => publisherId),
  );
  const named = (id: string): string => (sandboxes.has(id) ? `${id} (sandbox)` : id);
  const largest = shown
    .map(({ publisherId, bytes }) => `${named(publisherId)} ${inMegabytes(bytes)}`)
    .join(', ');
  return {
    check: 'disk',
    state: 'ok',
    message: `Tables take ${inMegabytes(total)}: ${parts}.${largest === '' ? '' : ` Largest publishers (estimated): ${largest}.`}`,
  };
}

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
