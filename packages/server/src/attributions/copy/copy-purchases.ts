import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { standing } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { newRecordingId, rowIdOf } from '../recording-id.ts';

export interface PurchasesToCopy {
  publisherId: string;
  since: Date;
  /** Sandbox memberships, keyed by the live membership that each was copied from. */
  memberships: ReadonlyMap<MembershipId, MembershipId>;
}

/**
 * Maximum number of purchases to copy. One commit writes all of them: 100,000 purchases take about ten seconds to
 * copy, and ten more to post.
 */
const maxRows = 100_000;
const rowsAtOnce = 1_000;

/** Row as JSON. Amounts are strings, because they may exceed JavaScript's safe integers. */
interface Row {
  attribution_id: AttributionId;
  transaction_id: string;
  split_index: number;
  membership_id: MembershipId;
  transaction_date: string;
  player_id: string | null;
  [column: string]: string | number | null;
}

/**
 * Copies the purchases that were made since a given date and can still be paid. Rows in a payout, reversed
 * rows and Test rows are left out. Each copy keeps its date, share and rule, and is posted like a new row, so
 * holds, sums and bounties work as usual. No event is published. Buyers are anonymized: each player id is
 * replaced by a salted hash.
 * @returns the number of rows copied
 * @throws Refusal Conflict when there are more than `maxRows` purchases
 */
export async function copyPurchases(tx: Tx, sandboxId: string, purchases: PurchasesToCopy): Promise<number> {
  const salt = randomBytes(32);
  const splits = new Map<string, number>();
  let count = 0;
  for await (const page of readRows(tx, purchases)) {
    const recordingId = newRecordingId();
    const copies = page.flatMap((row) => {
      const membershipId = purchases.memberships.get(row.membership_id);
      if (membershipId === undefined) return [];
      // Other rows of the purchase may have been left out, so the first row copied becomes the purchase key.
      const split = splits.get(row.transaction_id) ?? 0;
      splits.set(row.transaction_id, split + 1);
      return [{ ...row, split_index: split, membership_id: membershipId, player_id: playerOf(row, salt) }];
    });
    count += copies.length;
    if (count > maxRows)
      throw new Refusal(
        'Conflict',
        `More than ${maxRows} purchases since that date can still be paid, which is too many to copy. Choose a later date.`,
        { path: ['purchasesSince'] },
      );
    if (copies.length === 0) continue;
    const rows = copies.map((row, index) => ({ ...row, attribution_id: rowIdOf(recordingId, index) }));
    await sql`
      with saved as (
        insert into attribution (publisher_id, ${columns})
        select ${sandboxId}, ${columns}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
          attribution_id uuid, transaction_id text, split_index smallint, group_id text, membership_id uuid, code text, uses_player_code boolean,
          description text, status text, is_test boolean, origin text, subtotal_minor bigint, currency text,
          total_minor bigint, total_currency text, transaction_date timestamptz, platform text, player_id text, sku_id text,
          sent_share_millionths integer, sku_share_millionths integer, tier_id uuid, tier_share_millionths integer,
          group_share_millionths integer, share_millionths integer, share_minor bigint, share_rule text, schedule_id text,
          scheduled_tier_share_millionths integer, scheduled_share_millionths integer
        )
        returning 1
      )
      insert into unposted (publisher_id, recording_id, row_count)
      select ${sandboxId}, ${recordingId}::uuid, count(*) from saved`.execute(tx);
  }
  return count;
}

const columns = sql`
  attribution_id, transaction_id, split_index, group_id, membership_id, code, uses_player_code, description, status,
  is_test, origin,
  subtotal_minor, currency, total_minor, total_currency, transaction_date, platform, player_id, sku_id,
  sent_share_millionths, sku_share_millionths, tier_id, tier_share_millionths, group_share_millionths, share_millionths,
  share_minor, share_rule, schedule_id, scheduled_tier_share_millionths, scheduled_share_millionths`;

const playerOf = ({ player_id }: Row, salt: Buffer): string | null =>
  player_id === null || player_id === ''
    ? player_id
    : createHash('sha256').update(salt).update(player_id).digest('hex').slice(0, 32);

/**
 * Reads the rows one group at a time in date order, using an index. Merged memberships are already resolved.
 */
async function* readRows(tx: Tx, { publisherId, since }: PurchasesToCopy): AsyncGenerator<Row[]> {
  const groups = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('group_id')
    .execute();
  for (const { group_id: groupId } of groups)
    for (let from = since.toISOString(), after: string | null = null; ; ) {
      const { rows }: { rows: Row[] } = await sql<Row>`
        select a.attribution_id, a.transaction_id, a.split_index, a.group_id, ${standing('m')} as membership_id, a.code, a.uses_player_code,
               a.description, a.status, false as is_test, a.origin, a.subtotal_minor::text as subtotal_minor, a.currency,
               a.total_minor::text as total_minor, a.total_currency,
               to_char(a.transaction_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as transaction_date,
               a.platform, a.player_id, a.sku_id, a.sent_share_millionths, a.sku_share_millionths, a.tier_id,
               a.tier_share_millionths, a.group_share_millionths, a.share_millionths, a.share_minor::text as share_minor,
               a.share_rule, a.schedule_id, a.scheduled_tier_share_millionths, a.scheduled_share_millionths
        from attribution a
        join membership m on m.publisher_id = ${publisherId} and m.membership_id = a.membership_id
        where a.publisher_id = ${publisherId} and a.group_id = ${groupId} and a.transaction_date >= ${from}::timestamptz
          and (${after}::uuid is null or (a.transaction_date, a.attribution_id) > (${from}::timestamptz, ${after}::uuid))
          and not a.is_test and a.status = 'Normal'
          and not exists (
            select 1
            from payment p
            where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
              and (p.reversed_at is not null or p.payout_batch_id is not null or p.paid_at is not null)
          )
        order by a.transaction_date, a.attribution_id
        limit ${rowsAtOnce}`.execute(tx);
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) break;
      from = last.transaction_date;
      after = last.attribution_id;
    }
}
