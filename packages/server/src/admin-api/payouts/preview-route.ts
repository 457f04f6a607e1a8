import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { readPlannedDays } from '../../settlement/payouts/read/read-calendars.ts';
import { completeRows, isAfter, payableStates, placeOf } from '../../settlement/payouts/read/read-preview.ts';
import { readWithoutMethod } from '../../settlement/payouts/read/read-without-method.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, minor, nullable, oneOf, pageQuery, time } from '../schemas.ts';
import { currencyText } from './payout-model.ts';
import type { ReadPreview } from './preview-reader.ts';
import {
  countWithoutMethod,
  membersWithoutMethod,
  plannedDay,
  previewTotals,
  totalsOf,
} from './preview-totals.ts';
import { waitingAmounts } from './waiting-schemas.ts';

const state = oneOf(payableStates, {
  title: 'PayableState',
  description:
    'due: will be paid. below-minimum: is owed less than the minimum. blocked: the creator is under review, or lacks ' +
    'something that payouts need. repaying: clawbacks exceed the earnings. ' +
    'on-hold: holds keep all amounts out of the payout. held: all amounts are still in their hold period.',
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
    onHold: nullable(
      Type.Object(
        {
          rowCount: Type.Integer({ description: 'Number of rows.' }),
          amountMinor: minor('Amount that the payout would pay without the holds.'),
          holds: Type.Array(
            Type.Object(
              {
                reason: Type.String(),
                endsAt: nullable(time('When the hold ends automatically; null if it must be released.')),
                rowCount: nullable(
                  Type.Integer({ description: 'Number of rows; null for a hold on the creator.' }),
                ),
              },
              { title: 'HoldReason' },
            ),
            { description: 'Up to 20 reasons and end times, most frequent first.' },
          ),
        },
        {
          title: 'AmountOnHold',
          description:
            'Amounts that holds keep out of the payout; null if there are none. Not included in the other amounts.',
        },
      ),
    ),
    laterMinor: minor(
      'Amount owed now that is neither in the payout nor on hold, because it is in its hold period or was earned after the cutoff.',
    ),
    waiting: waitingAmounts,
    heldUntil: nullable(time('When the earliest hold period of the amounts in laterMinor ends.')),
    lacksMethod: Type.Boolean({
      description: 'True if the payout would pay the member without a payout method that can be used.',
    }),
  },
  { title: 'PreviewRow' },
);

export function previewRoute(
  app: App,
  { database }: Service,
  { pages, preview: read }: { pages: Pages; preview: ReadPreview },
): void {
  const { operation } = adminOperations(app, 'Payouts');
  const { db } = database;
  operation(
    ['get', '/publishers/:publisherId/payouts/preview', 'previewPayout'],
    {
      may: 'read',
      summary: 'Preview a payout',
      description:
        'Lists the members who are due a payment, and, for every other member, the reason they are not due one. A later ' +
        'preview or a payout with the `asOf` of the response has exactly the same amounts, even if more rows have been posted since. With ' +
        'very many purchases, the response can be up to 30 seconds old; `asOf` is its time.',
      query: {
        ...groupQuery,
        ...pageQuery,
        currency: Type.Optional(currencyText),
        asOf: Type.Optional(timestamp('`asOf` from an earlier preview.')),
        state: Type.Optional(oneOf(payableStates)),
        withoutMethod: Type.Optional(
          Type.Boolean({
            description:
              'True to list only the members who are due a payment but have no payout method for it.',
          }),
        ),
      },
      answer: Type.Object(
        {
          groupId: Type.String(),
          asOf: time(
            'Cutoff of the preview. A payout created with this cutoff pays the previewed amounts, less what was taken back since then.',
          ),
          plannedFor: plannedDay,
          totals: Type.Array(previewTotals),
          membersWithoutMethod,
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
        withoutMethod = false,
      } = request.query;
      const groupId = await findGroup(db, publisherId, group);
      const query = { publisherId, groupId, currency, asOf: asOf === undefined ? null : readTimestamp(asOf) };
      const preview = await read(query);
      const listing = [
        'payout preview',
        publisherId,
        groupId,
        currency,
        preview.asOf.toISOString(),
        onlyState,
        withoutMethod,
      ];
      const after = pages.after(listing, cursor);
      // With very many purchases, reading the preview can use up the request's time limit.
      const lacksMethod = await asSeparateRequest(database, publisherId, () =>
        readWithoutMethod(db, publisherId, preview),
      );
      const shown = preview.rows.filter(
        (row) => (onlyState === null || row.state === onlyState) && (!withoutMethod || lacksMethod(row)),
      );
      const rest = after === null ? shown : shown.filter((row) => isAfter(placeOf(row), after));
      const page = pages.cut(listing, rest.slice(0, limit + 1), limit, placeOf);
      const { rows, days } = await asSeparateRequest(database, publisherId, async () => ({
        rows: await completeRows(db, query, preview, page.rows),
        days: await readPlannedDays(db, { publisherId, groupIds: [groupId], at: preview.asOf }),
      }));
      return {
        groupId,
        asOf: preview.asOf,
        plannedFor: days.get(groupId) ?? null,
        totals: totalsOf(preview.rows, lacksMethod),
        membersWithoutMethod: countWithoutMethod(preview.rows, lacksMethod),
        rows: rows.map(({ membershipId, ...row }) => ({ ...row, lacksMethod: lacksMethod(row) })),
        nextCursor: page.nextCursor,
      };
    },
  );
}
