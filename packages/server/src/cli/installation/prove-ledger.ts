import type pg from 'pg';
import { commandLimits } from '../../platform/database/connections/limits.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { type LedgerVerdict, verifyLedger } from '../../settlement/verify/verify-ledger.ts';

/** Verifies a database's whole ledger without writing anything. */
export async function proveLedger(connection: pg.ClientConfig): Promise<LedgerVerdict> {
  const database = openDatabase({
    connection,
    poolSize: 2,
    recordLanes: 1,
    applicationName: 'attribution-command',
    limits: commandLimits,
  });
  return await verifyLedger(database.db).finally(() => database.close());
}
