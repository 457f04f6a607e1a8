import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { KeptAnswers, type Weighed } from '../../platform/kept-answers.ts';
import type { Pages } from '../../platform/page.ts';
import { unavailable } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { inOwnTime } from '../in-own-time.ts';
import { adminErrors, groupQuery, minor, nullable, pageQuery, publisherPath, time } from '../schemas.ts';
import { currencyText, payoutTags } from './payout-model.ts';
import {
  isBehind,
  type Preview,
  type PreviewRow,
  payableStates,
  placeOf,
  readHeldUntil,
  readPreview,
} from './read-preview.ts';

const state = Type.Union(
  payableStates.map((each) => Type.Literal(each)),
  {
    title: 'PayableState',
    description:
      'due: is paid. below-minimum: waits until there is more. repaying: more was taken back than there is to pay. ' +
      'held: nothing of it is out of the hold period.',
  },
);

const previewRow = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    playerId: nullable(Type.String()),
    currency: Type.String(),
    state,
    rowCount: Type.Integer({ description: 'Purchases that would be paid.' }),
    paymentsMinor: minor('What they earned.'),
    rewardsMinor: minor('What bounties gave.'),
    adjustmentsMinor: minor('What is taken back, zero or less.'),
    amountMinor: minor('All of it together; below zero for who owes us.'),
    minimumMinor: minor('The least that is paid.'),
    laterMinor: minor('What the member is owed besides, as of now: held, or of after the moment.'),
    heldUntil: nullable(time('When the first of what is later comes out of the hold period.')),
  },
  { title: 'PreviewRow' },
);

const sum = Type.Object(
  { totalMinor: minor(''), memberCount: Type.Integer() },
  { title: 'PreviewSum', description: 'Of how many members, and how much.' },
);

const previewTotals = Type.Object(
  {
    currency: Type.String(),
    due: sum,
    belowMinimum: sum,
    repaying: sum,
    later: sum,
    rowCount: Type.Integer({ description: 'Purchases of those who are due.' }),
  },
  { title: 'PreviewTotals', description: 'Of one currency. Currencies are never added up.' },
);

/** Of a million purchases one takes seconds of one of the connections that settlement has, too. */
const previewsAtOnce = 2;
const previewsWaiting = 50;
const patienceMs = 5_000;
/** Purchases and members that are read in some tens of milliseconds. */
const heavyPreview = 20_000;
/** Of ten thousand members one takes some megabytes. */
const previewsKept = 8;

/** What would be paid now, and what waits, and why. */
export function previewRoute(app: App, { database }: Service, { pages }: { pages: Pages }): void {
  const { db, background } = database;
  const turns = new FairTurns({ places: previewsAtOnce, waitingPlaces: previewsWaiting });
  const kept = new KeptAnswers<Preview>(heavyPreview, previewsKept);
  app.get(
    '/publishers/:publisherId/payouts/preview',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'previewPayout',
        summary: 'What a payout would pay',
        description:
          'Who is due, and who waits and why. `asOf` of the answer freezes it: asked again with it, and when a payout is ' +
          'created with it, amounts are the same to the cent, whatever was posted since. Of very many purchases it may be ' +
          'half a minute old, which `asOf` says.',
        tags: payoutTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          ...pageQuery,
          currency: Type.Optional(currencyText),
          asOf: Type.Optional(time('Of an earlier preview.')),
          state: Type.Optional(Type.Union(payableStates.map((each) => Type.Literal(each)))),
        }),
        response: {
          200: Type.Object(
            {
              groupId: Type.String(),
              asOf: time('Creates exactly this.'),
              totals: Type.Array(previewTotals),
              rows: Type.Array(previewRow),
              nextCursor: nullable(Type.String()),
            },
            { title: 'PayoutPreview' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { group, currency = null, asOf, cursor = null, limit = 50, state: only = null } = request.query;
      const groupId = await findGroup(db, publisherId, group);
      const asked = { publisherId, groupId, currency, asOf: asOf === undefined ? null : readTimestamp(asOf) };
      const payouts = await readPayoutsOf(db, publisherId, groupId);
      const preview = await kept.ask([publisherId, groupId, currency, asOf ?? null, payouts], () =>
        inTurn(turns, publisherId, async () => weighed(await readPreview(background, asked))),
      );
      const listing = ['payout preview', publisherId, groupId, currency, preview.asOf.toISOString(), only];
      const after = pages.after(listing, cursor);
      const shown = only === null ? preview.rows : preview.rows.filter((row) => row.state === only);
      const rest = after === null ? shown : shown.filter((row) => isBehind(placeOf(row), after));
      const page = pages.cut(listing, rest.slice(0, limit + 1), limit, placeOf);
      // What was read before of very many purchases took longer than a request may.
      const heldUntil = await inOwnTime(database, publisherId, () =>
        readHeldUntil(db, asked, preview, page.rows),
      );
      return sendJson(reply, {
        groupId,
        asOf: preview.asOf.toISOString(),
        totals: totalsOf(preview.rows),
        rows: page.rows.map((row, index) => toRow(row, heldUntil[index] ?? null)),
        nextCursor: page.nextCursor,
      });
    },
  );
}

/** A preview is kept no longer than until a payout of its group is made, paid or cancelled, its terms change, or money goes back. */
async function readPayoutsOf(db: Db, publisherId: string, groupId: string): Promise<unknown> {
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

const weighed = (preview: Preview): Weighed<Preview> => ({
  answer: preview,
  weight: preview.rows.reduce((sum, { rowCount }) => sum + rowCount + 10, 0),
});

async function inTurn<Result>(
  turns: FairTurns,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await turns.take(publisherId, patienceMs)))
    throw unavailable('Other previews are being read; ask again in a moment.');
  try {
    return await work();
  } finally {
    turns.giveBack(publisherId);
  }
}

const toRow = ({ membershipId, ...row }: PreviewRow, heldUntil: Date | null) => ({
  ...row,
  paymentsMinor: String(row.paymentsMinor),
  rewardsMinor: String(row.rewardsMinor),
  adjustmentsMinor: String(row.adjustmentsMinor),
  amountMinor: String(row.amountMinor),
  minimumMinor: String(row.minimumMinor),
  laterMinor: String(row.laterMinor),
  heldUntil: heldUntil?.toISOString() ?? null,
});

const totalsOf = (rows: readonly PreviewRow[]) =>
  [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofIt]) => {
    const inState = (wanted: PreviewRow['state']): PreviewRow[] =>
      ofIt.filter(({ state }) => state === wanted);
    return {
      currency,
      due: sumOf(inState('due'), ({ amountMinor }) => amountMinor),
      belowMinimum: sumOf(inState('below-minimum'), ({ amountMinor }) => amountMinor),
      repaying: sumOf(inState('repaying'), ({ amountMinor }) => amountMinor),
      later: sumOf(
        ofIt.filter(({ laterMinor }) => laterMinor !== 0n),
        ({ laterMinor }) => laterMinor,
      ),
      rowCount: inState('due').reduce((count, row) => count + row.rowCount, 0),
    };
  });

const sumOf = (rows: readonly PreviewRow[], amount: (row: PreviewRow) => bigint) => ({
  totalMinor: String(rows.reduce((total, row) => total + amount(row), 0n)),
  memberCount: rows.length,
});
