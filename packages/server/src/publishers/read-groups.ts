import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import { versionOf } from '../platform/version.ts';
import type { PayoutCalendar } from './payout-calendar.ts';

interface GroupSettings {
  groupId: string;
  name: string;
  isDefault: boolean;
  revShare: number;
  codeTtlDays: number;
  holdDays: number;
  /** Payout minimums, in minor units. */
  payoutMinimums: { currency: string; amount: string }[];
  disabledCurrencies: string[];
  /** Day on which payouts are planned; null for none. */
  payoutCalendar: PayoutCalendar | null;
}

/** Group with the version to send when editing it. */
export interface VersionedGroup extends GroupSettings {
  version: string;
}

/** Reads all of a publisher's groups in order of creation, or one group by its id. */
export async function readGroups(
  db: Db | Tx,
  publisherId: string,
  groupId: string | null = null,
): Promise<VersionedGroup[]> {
  const { rows } = await sql<{
    group_id: string;
    name: string;
    is_default: boolean;
    share_millionths: number;
    code_ttl_days: number;
    hold_days: number;
    payout_minimums: Record<string, number>;
    disabled_currencies: string[];
    payout_calendar: PayoutCalendar | null;
  }>`
    select group_id, name, is_default, share_millionths, code_ttl_days, hold_days, payout_minimums, disabled_currencies,
           payout_calendar
    from creator_group
    where publisher_id = ${publisherId} and (${groupId}::text is null or group_id = ${groupId})
    order by created_at, group_id`.execute(db);
  return rows.map((row) => {
    const settings: GroupSettings = {
      groupId: row.group_id,
      name: row.name,
      isDefault: row.is_default,
      revShare: millionthsToPercent(row.share_millionths),
      codeTtlDays: row.code_ttl_days,
      holdDays: row.hold_days,
      payoutMinimums: Object.entries(row.payout_minimums)
        .map(([currency, amount]) => ({ currency, amount: String(amount) }))
        .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
      disabledCurrencies: row.disabled_currencies,
      payoutCalendar: row.payout_calendar,
    };
    return { ...settings, version: versionOf(settings) };
  });
}
