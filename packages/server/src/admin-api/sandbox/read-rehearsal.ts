import { sql } from 'kysely';
import { exportActions } from '../../audit/exported-payouts.ts';
import type { Db } from '../../platform/database/database.ts';

export const rehearsalSteps = [
  'advance',
  'preview',
  'create',
  'export',
  'pay',
  'claw-back',
  'carry',
] as const;

export type RehearsalStep = (typeof rehearsalSteps)[number];

interface Found {
  is_advanced: boolean;
  is_exported: boolean;
  clawed_back_at: Date | null;
  payout_id: string | null;
  payout_group: string | null;
  payout_currency: string | null;
  payout_status: string | null;
  transaction_id: string | null;
  balance_group: string | null;
  balance_currency: string | null;
}

export interface Rehearsal {
  done: ReadonlySet<RehearsalStep>;
  /** Group to preview; null if no member of any group is owed money. */
  groupId: string | null;
  /** Currency to preview in that group. */
  currency: string | null;
  /** Payout of the rehearsal; null before it has been created. */
  payoutId: string | null;
  /** Purchase in that payout that can be clawed back; null before the payout has been paid. */
  transactionId: string | null;
}

/**
 * Returns the payout rehearsal steps that people have completed in a sandbox. Work done by the service, such as the
 * demo data's payouts, doesn't count. Each step needs one index lookup, except for the balances: a sandbox has up to
 * 50,000 members with a few balances each.
 * @param previewSeenAt time when the person last viewed a preview in this sandbox; null if never
 */
export async function readRehearsal(
  db: Db,
  publisherId: string,
  previewSeenAt: Date | null,
): Promise<Rehearsal> {
  const { rows } = await sql<Found>`
    with made as (
      select b.batch_id, b.group_id, b.currency, b.status
      from payout_batch b
      where b.publisher_id = ${publisherId} and b.created_by_kind = 'staff' and b.status in ('Preparing', 'Created', 'Paid')
      order by (b.status = 'Paid') desc, b.batch_id desc
      limit 1
    ), owed as (
      select m.group_id, b.currency
      from member_balance b
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = b.membership_id
      where b.publisher_id = ${publisherId} and b.balance_minor > 0
      group by m.group_id, b.currency
      order by count(*) desc, m.group_id, b.currency
      limit 1
    )
    select exists (
             select 1
             from audit_entry e
             where e.publisher_id = ${publisherId} and e.action = 'clock.advance' and e.actor_kind = 'staff'
           ) as is_advanced,
           exists (
             select 1
             from audit_entry e
             where e.publisher_id = ${publisherId} and e.action = any(${[...exportActions]}::text[])
               and e.actor_kind = 'staff'
           ) as is_exported,
           (
             select min(e.at)
             from audit_entry e
             where e.publisher_id = ${publisherId} and e.action = 'payout.claw-back' and e.actor_kind = 'staff'
           ) as clawed_back_at,
           (select m.batch_id::text from made m) as payout_id,
           (select m.group_id from made m) as payout_group,
           (select m.currency from made m) as payout_currency,
           (select m.status from made m) as payout_status,
           (
             select a.transaction_id
             from made m
             join payment p on p.publisher_id = ${publisherId} and p.payout_batch_id = m.batch_id and p.reversed_at is null
             join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = p.attribution_id
             where m.status = 'Paid' and a.share_minor > 0
             order by p.attribution_id desc
             limit 1
           ) as transaction_id,
           (select d.group_id from owed d) as balance_group,
           (select d.currency from owed d) as balance_currency`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('the rehearsal query returned no row');
  const { clawed_back_at: clawedBackAt, payout_status: status } = found;
  const isDone: Readonly<Record<RehearsalStep, boolean>> = {
    advance: found.is_advanced,
    // A payout is always created from a preview.
    preview: previewSeenAt !== null || status !== null,
    create: status !== null,
    export: found.is_exported,
    pay: status === 'Paid',
    'claw-back': clawedBackAt !== null,
    carry: clawedBackAt !== null && previewSeenAt !== null && previewSeenAt > clawedBackAt,
  };
  return {
    done: new Set(rehearsalSteps.filter((step) => isDone[step])),
    groupId: found.payout_group ?? found.balance_group,
    currency: found.payout_currency ?? found.balance_currency,
    payoutId: found.payout_id,
    transactionId: found.transaction_id,
  };
}
