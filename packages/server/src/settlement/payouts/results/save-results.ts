import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../../../audit/record-change.ts';
import { tellCreators } from '../../../notices/write-notices.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutItemId } from '../../../platform/database/tables.generated.ts';
import { publishEvents } from '../../../webhooks/publish-events.ts';
import { posting } from '../../ledger.ts';
import type { PayoutBatch } from '../read/read-payouts.ts';
import type { ResultVerdict } from './judge-results.ts';
import { isOwedAgain, type LineResult, lineResults } from './result.ts';

interface ResultsToSave {
  publisherId: string;
  payout: PayoutBatch;
  /** Time of the results, on the publisher's clock. */
  at: Date;
  /** Verdicts that change something. */
  verdicts: readonly ResultVerdict[];
}

/**
 * Saves results, credits the members with the money that is owed again, and writes an audit log entry and an event for
 * each line whose amount is owed again, and emails to the creators. The caller has locked the memberships and then the payout.
 */
export async function saveResults(tx: Tx, actor: Actor, saving: ResultsToSave): Promise<void> {
  const { publisherId, payout, at, verdicts } = saving;
  if (verdicts.length === 0) return;
  const { batchId } = payout;
  await sql`
    insert into payout_result (publisher_id, item_id, result, batch_id, note, recorded_at, recorded_by_kind,
                               recorded_by_id, recorded_by_name)
    select ${publisherId}, item_id, result, ${batchId}::uuid, note, ${at}, ${actor.kind}, ${storedActorId(actor.id)},
           ${storedActorName(actor.name)}
    from unnest(
      ${verdicts.map(({ item }) => item?.itemId)}::uuid[],
      ${verdicts.map(({ to }) => to)}::text[],
      ${verdicts.map(({ note }) => note)}::text[]
    ) as s (item_id, result, note)`.execute(tx);
  const back = verdicts.filter(({ to }) => isOwedAgain(to));
  await bookReturns(
    tx,
    saving,
    back.flatMap(({ item }) => item?.itemId ?? []),
  );
  const byResult = lineResults.flatMap((result) => {
    const lines = verdicts.filter(({ to }) => to === result).map(({ reference }) => reference);
    return lines.length === 0 ? [] : [[result, lines]];
  });
  await recordChange(tx, actor, {
    publisherId,
    action: 'payout.set-results',
    target: `payout:${batchId}`,
    after: {
      ...Object.fromEntries(byResult),
      ...(back.length > 0 && {
        currency: payout.currency,
        owedAgainMinor: String(back.reduce((sum, { item }) => sum + (item?.amountMinor ?? 0n), 0n)),
      }),
    },
  });
  await publishEvents(
    tx,
    publisherId,
    back.map(({ reference, to, note, item }) => ({
      kind: 'Payout/PayoutLineReturned',
      event: {
        payoutId: batchId,
        groupId: payout.groupId,
        reference,
        memberId: item?.memberId ?? '',
        result: to ?? '',
        currency: payout.currency,
        amountMinor: String(item?.amountMinor ?? 0n),
        note,
        recordedAt: at.toISOString(),
      },
    })),
  );
  await tellCreatorsOfLines(tx, publisherId, verdicts);
}

/** Writes emails to the creators whose lines were paid, failed or returned. A line that is only sent isn't told of. */
async function tellCreatorsOfLines(
  tx: Tx,
  publisherId: string,
  verdicts: readonly ResultVerdict[],
): Promise<void> {
  for (const [kind, isTold] of [
    ['paid', (to: LineResult | null) => to === 'Paid'],
    ['returned', isOwedAgain],
  ] as const) {
    const told = verdicts.flatMap(({ to, item }) => (isTold(to) && item !== null ? [item] : []));
    if (told.length > 0)
      await tellCreators(tx, {
        publisherId,
        kind,
        rows: sql`
          select *
          from unnest(
            ${told.map(({ itemId }) => itemId)}::uuid[], ${told.map(({ memberId }) => memberId)}::text[]
          ) as line (about_id, account_id)`,
      });
  }
}

/** Credits the amounts of lines to the members' balances again, and adds them to the members' next payouts. */
async function bookReturns(
  tx: Tx,
  { publisherId, payout: { batchId, groupId, currency } }: ResultsToSave,
  itemIds: readonly PayoutItemId[],
): Promise<void> {
  if (itemIds.length === 0) return;
  const now = await readMoment(tx);
  await sql`
    with returned as (
      insert into payout_return (publisher_id, item_id, from_batch_id, group_id, membership_id, currency, amount_minor,
                                 created_at)
      select ${publisherId}, i.item_id, i.batch_id, ${groupId}, i.membership_id, ${currency}, i.amount_minor, ${now}
      from payout_item i
      where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid
        and i.item_id = any(${[...itemIds]}::uuid[])
      returning item_id, membership_id, currency, amount_minor
    ),
    entry as (
      select item_id as subject_id, 'payout-return' as kind, membership_id, currency, amount_minor from returned
    ),
    ${posting(publisherId, 'entry')}
    select 1`.execute(tx);
}
