import type { Db } from '../../platform/database/database.ts';
import { type ConnectorRow, connectorColumns } from '../connector-record.ts';
import { polledIds } from '../providers/all-providers.ts';

const idForm = /^[0-9A-Za-z]{24}$/;

/** Finds the connector of an address; null if there is none. A connector that is polled has no address. */
export async function findConnector(db: Db, connectorId: string): Promise<ConnectorRow | null> {
  if (!idForm.test(connectorId)) return null;
  const row = await db
    .selectFrom('connector')
    .select(connectorColumns)
    .where('connector_id', '=', connectorId)
    .where('removed_at', 'is', null)
    .where('provider', 'not in', [...polledIds])
    .executeTakeFirst();
  return row ?? null;
}
