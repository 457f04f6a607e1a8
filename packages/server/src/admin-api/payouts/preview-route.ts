import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { AnswerCache, type Weighed } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { unavailable } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { asSeparateRequest } from '../as-separate-request.ts';
import { groupQuery, minor, nullable, oneOf, pageQuery, time } from '../schemas.ts';
import { currencyText } from './payout-model.ts';
import {
  isAfter,
  type Preview,
  type PreviewRow,
  payableStates,
  placeOf,
  readHeldUntil,
  readPreview,
} from './read-preview.ts';

const state = oneOf(payableStates, {
  title: 'PayableState',
  description:
    'due: will be paid. below-minimum: is owed less than the minimum. repaying: clawbacks exceed the earnings. ' +
    'held: all amounts are still in their hold period.',
});

const previewRow = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    playerId: nullable(Type.String()),
    currency: Type.String(),
    state,
    rowCount: Type.Integer({ description: 'Number of rows that the payout would pay.' }),
    paymentsMinor: minor('Sum of shares of purchases.'),
    rewardsMinor: minor('Sum of bounty rewards.'),
    adjustmentsMinor: minor('Clawbacks to deduct, zero or less.'),
    amountMinor: minor(
      'Sum of paymentsMinor, rewardsMinor and adjustmentsMinor; negative when the member owes money back.',
    ),
    minimumMinor: minor('Minimum payout.'),
    laterMinor: minor(
      'Amount owed now that is not in the payout, because it is held or was earned after the cutoff.',
    ),
    heldUntil: nullable(time('When the earliest hold period of the amounts in laterMinor ends.')),
  },
  { title: 'PreviewRow' },
);

const sum = Type.Object(
  { totalMinor: minor("Sum of the members' amounts."), memberCount: Type.Integer() },
  { title: 'PreviewSum', description: 'Number of members and the sum of their amounts.' },
);

const previewTotals = Type.Object(
  {
    currency: Type.String(),
    due: sum,
    belowMinimum: sum,
    repaying: sum,
    later: sum,
    rowCount: Type.Integer({ description: 'Number of rows of the members who are due a payment.' }),
  },
  { title: 'PreviewTotals', description: 'Totals of one currency. Currencies are never added together.' },
);

/**
 * Maximum concurrent previews. A preview of a million rows occupies a connection for seconds, and settlement
 * needs connections too.
 */
const maxConcurrentPreviews = 2;
const maxWaitingPreviews = 50;
const maxWaitMs = 5_000;
/**
 * Minimum weight (rows and members) for a preview to be cached. Reading a lighter preview takes only tens of
 * milliseconds.
 */
const heavyPreview = 20_000;
/** Maximum cached previews. A preview of ten thousand members takes a few megabytes. */
const maxCachedPreviews = 8;

export function previewRoute(app: App, { database }: Service, { pages }: { pages: Pages }): void {
  const { operation } = adminOperations(app, 'Payouts');
  const { db, background } = database;
  const turns = new FairTurns({ maxRunning: maxConcurrentPreviews, maxWaiting: maxWaitingPreviews });
  const previews = new AnswerCache<Preview>(heavyPreview, maxCachedPreviews);
  operation(
    ['get', '/publishers/:publisherId/payouts/preview', 'previewPayout'],
    {
      may: 'read',
      summary: 'Preview a payout',
      description:
        'Lists the members who are due a payment, and for every other member, the reason they are not due one. A later ' +
        'preview or a payout with the `asOf` of the response has exactly the same amounts, even if more rows have been posted since. With ' +
        'very many purchases, the response can be up to 30 seconds old; `asOf` is its time.',
      query: {
        ...groupQuery,
        ...pageQuery,
        currency: Type.Optional(currencyText),
        asOf: Type.Optional(timestamp('`asOf` of an earlier preview.')),
        state: Type.Optional(oneOf(payableStates)),
      },
      answer: Type.Object(
        {
          groupId: Type.String(),
          asOf: time(
            'Cutoff of the preview. A payout created with this cutoff pays exactly the previewed amounts.',
          ),
          totals: Type.Array(previewTotals),
          rows: Type.Array(previewRow),
          nextCursor: nullable(Type.String()),
        },
        { title: 'PayoutPreview' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const {
        group,
        currency = null,
        asOf,
        cursor = null,
        limit = 50,
        state: onlyState = null,
      } = request.query;
      const groupId = await findGroup(db, publisherId, group);
      const query = { publisherId, groupId, currency, asOf: asOf === undefined ? null : readTimestamp(asOf) };
      const version = await readVersion(db, publisherId, groupId);
      const preview = await previews.get([publisherId, groupId, currency, asOf ?? null, version], () =>
        inTurn(turns, publisherId, async () => withWeight(await readPreview(background, query))),
      );
      const listing = [
        'payout preview',
        publisherId,
        groupId,
        currency,
        preview.asOf.toISOString(),
        onlyState,
      ];
      const after = pages.after(listing, cursor);
      const shown = onlyState === null ? preview.rows : preview.rows.filter((row) => row.state === onlyState);
      const rest = after === null ? shown : shown.filter((row) => isAfter(placeOf(row), after));
      const page = pages.cut(listing, rest.slice(0, limit + 1), limit, placeOf);
      // With very many purchases, reading the preview can use up the request's time limit.
      const heldUntil = await asSeparateRequest(database, publisherId, () =>
        readHeldUntil(db, query, preview, page.rows),
      );
      return {
        groupId,
        asOf: preview.asOf,
        totals: totalsOf(preview.rows),
        rows: page.rows.map(({ membershipId, ...row }, index) => ({
          ...row,
          heldUntil: heldUntil[index] ?? null,
        })),
        nextCursor: page.nextCursor,
      };
    },
  );
}

/**
 * Reads the part of the cache key that invalidates a preview. This part changes when a payout of the group is
 * created, paid or canceled, when the group's terms change, and when a row of the publisher is reversed.
 */
async function readVersion(db: Db, publisherId: string, groupId: string): Promise<unknown> {
  const { rows } = await sql`
    select g.terms_changed_at,
           (select r.refund_id
            from refund_record r
            where r.publisher_id = ${publisherId}
            order by r.refund_id desc
            limit 1) as last_refund,
           (select json_object_agg(of_status.status, of_status.n order by of_status.status)
            from (
              select status, count(*) as n
              from payout_batch
              where publisher_id = ${publisherId} and group_id = ${groupId}
              group by status
            ) of_status) as payouts
    from creator_group g
    where g.publisher_id = ${publisherId} and g.group_id = ${groupId}`.execute(db);
  return rows;
}

const withWeight = (preview: Preview): Weighed<Preview> => ({
  answer: preview,
  weight: preview.rows.reduce((sum, { rowCount }) => sum + rowCount + 10, 0),
});

async function inTurn<Result>(
  turns: FairTurns,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await turns.take(publisherId, maxWaitMs)))
    throw unavailable('Too many previews are being calculated. Try again in a moment.');
  try {
    return await work();
  } finally {
    turns.giveBack(publisherId);
  }
}

const totalsOf = (rows: readonly PreviewRow[]) =>
  [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, inCurrency]) => {
    const inState = (wanted: PreviewRow['state']): PreviewRow[] =>
      inCurrency.filter(({ state }) => state === wanted);
    return {
      currency,
      due: sumOf(inState('due'), ({ amountMinor }) => amountMinor),
      belowMinimum: sumOf(inState('below-minimum'), ({ amountMinor }) => amountMinor),
      repaying: sumOf(inState('repaying'), ({ amountMinor }) => amountMinor),
      later: sumOf(
        inCurrency.filter(({ laterMinor }) => laterMinor !== 0n),
        ({ laterMinor }) => laterMinor,
      ),
      rowCount: inState('due').reduce((count, row) => count + row.rowCount, 0),
    };
  });

const sumOf = (rows: readonly PreviewRow[], amount: (row: PreviewRow) => bigint) => ({
  totalMinor: String(rows.reduce((total, row) => total + amount(row), 0n)),
  memberCount: rows.length,
});
