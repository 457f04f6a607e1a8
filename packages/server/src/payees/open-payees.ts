import type { Db } from '../platform/database/database.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { OpenPayees } from '../settlement/payouts/read/export-payout.ts';
import { openDestination } from './destination.ts';

/** Returns a function that opens a publisher's payout methods for an export. Deleted accounts are left out. */
export const openPayees =
  (db: Db, sealer: Sealer, publisherId: string): OpenPayees =>
  async (methodIds) => {
    if (methodIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('payee_method')
      .select(['method_id', 'account_id', 'sealed'])
      .where('publisher_id', '=', publisherId)
      .where('method_id', 'in', [...methodIds])
      .execute();
    return new Map(
      rows.flatMap(({ method_id, account_id: accountId, sealed }) => {
        if (sealed === null) return [];
        const opened = openDestination(sealer, { publisherId, accountId }, sealed);
        const payTo = opened.kind === 'sepa' ? opened.iban : opened.email;
        return [[method_id, { name: opened.holderName, country: opened.country, payTo }]];
      }),
    );
  };
