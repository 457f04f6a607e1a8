import { type Static, Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { minor, nullable, oneOf, pageOf, time } from '../platform/http/schemas/fields.ts';
import { storable } from '../platform/http/schemas/schemas.ts';
import type { Pages } from '../platform/page.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import type { Portal } from '../portal/create-portal.ts';
import { type ExplainedEarning, explainEarning } from '../portal/earnings/explain-earning.ts';
import { earningStatuses, listEarnings } from '../portal/earnings/list-earnings.ts';
import { listMonths } from '../portal/earnings/list-months.ts';
import { type Earning, earningStates } from '../portal/earnings/read-earnings.ts';
import { accountsOf } from '../portal/require-portal.ts';
import { idsOf, membershipFields, namesOfMembership, pageQuery } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';
import { percent, shareRule } from './share-fields.ts';

const earning = Type.Object(
  {
    earningId: Type.String({ format: 'uuid' }),
    reference: Type.String({
      description: "What the creator tells the publisher's support, such as 2A7K-9QXM-4DFT.",
    }),
    ...membershipFields,
    code: Type.String({ description: 'Code that was credited.' }),
    description: Type.String({ description: "The publisher's description of the product." }),
    transactionDate: time('Time of the purchase.'),
    status: oneOf(earningStatuses, {
      title: 'EarningStatus',
      description: 'Status of the purchase.',
    }),
    state: oneOf(earningStates, {
      title: 'EarningState',
      description:
        'arriving: recorded, and added to the balance within seconds. earned: in the balance. in-payout: in a payout that ' +
        "isn't paid yet. paid: paid out. owed-again: in a payout whose payment failed or came back, so the amount is in the " +
        'balance again. taken-back: nothing is left of it.',
    }),
    currency: Type.String(),
    shareMinor: minor('Share of the creator as it was recorded.'),
    takenBackMinor: minor('Part of the share that was taken back.'),
    payout: nullable(
      Type.Object(
        {
          lineId: nullable(Type.String({ description: 'Id for `GET /portal/v1/payouts/{lineId}`.' })),
          number: Type.Integer({ description: 'Number of the payout.' }),
        },
        { title: 'PayoutOfEarning', description: 'Payout that contains the share.' },
      ),
    ),
  },
  { title: 'Earning', description: "The creator's part of a purchase. It contains nothing about the buyer." },
);

const window = Type.Object(
  { startsAt: time('Start of the schedule.'), endsAt: time('End of the schedule.') },
  { title: 'ScheduleWindow' },
);

const explained = Type.Object(
  {
    earning,
    isSplit: Type.Boolean({
      description: 'True if the purchase was split. The amounts are only those of this part.',
    }),
    explanation: Type.Object(
      {
        usesPlayerCode: Type.Boolean({
          description:
            'True if the player had entered the code earlier, and the purchase was sent without one.',
        }),
        offers: Type.Array(
          Type.Object(
            {
              rule: shareRule,
              percent: nullable(
                percent('Share that the rule offered at recording; null if it offered none.'),
              ),
              source: nullable(
                Type.String({ description: 'SKU, or name of the tier or group, that the rule used.' }),
              ),
              window: nullable(window),
            },
            { title: 'OfferOfRule' },
          ),
          { description: 'All six rules, most specific first. The first rule with an offer decides.' },
        ),
        rule: shareRule,
        percent: percent('Share percentage that applies.'),
        subtotalMinor: minor('Amount from which the share is calculated.'),
        exact: Type.String({
          pattern: '^[0-9]+(\\.[0-9]+)?$',
          description: 'Subtotal × percent before rounding, in minor units.',
        }),
        shareMinor: minor('Share, rounded half-even.'),
        currency: Type.String(),
      },
      { title: 'EarningExplanation', description: 'Calculation of the share, as of the recording.' },
    ),
    changes: Type.Array(
      Type.Object(
        {
          action: oneOf(['Refund', 'Fraud', 'Chargeback'], {
            title: 'EarningChange',
            description: 'Reason for which a part of the share was taken back.',
          }),
          at: time('Time of the change.'),
          amountMinor: minor('Part of the subtotal that was refunded.'),
          shareMinor: minor('Part of the share that was taken back.'),
          reinstatedAt: nullable(time('When the part was given back; null if it was not.')),
        },
        { title: 'ChangeOfEarning' },
      ),
      { description: 'Everything that was taken back, oldest first.' },
    ),
    adjustments: Type.Array(
      Type.Object(
        {
          kind: oneOf(['clawback', 'reinstatement'], {
            title: 'EarningAdjustmentKind',
            description:
              'clawback: deducted from the next payout, because the share was already in one. reinstatement: added to the next payout.',
          }),
          amountMinor: minor('Amount; negative for a clawback.'),
          at: time('Time of the adjustment.'),
          payoutNumber: nullable(
            Type.Integer({ description: 'Number of the payout that contains it; null until the next one.' }),
          ),
        },
        { title: 'AdjustmentOfEarning' },
      ),
      { description: 'Changes of the share after it was in a payout, oldest first.' },
    ),
    hold: nullable(
      Type.Object(
        { endsAt: nullable(time('When the hold ends automatically; null if it only ends by release.')) },
        { title: 'HoldOfEarning', description: 'The publisher keeps the share back.' },
      ),
    ),
    heldUntil: time("End of the group's hold period for this purchase."),
  },
  { title: 'ExplainedEarning' },
);

const month = Type.Object(
  {
    month: Type.String({ description: 'UTC month of the purchases, such as 2026-06.' }),
    currency: Type.String(),
    purchases: Type.Integer({ description: 'Number of purchases, without reversed ones.' }),
    shareMinor: minor('Sum of their shares, without what was taken back.'),
  },
  { title: 'EarningMonth' },
);

export function earningsRoutes(app: App, { db, clock }: Portal, pages: Pages): void {
  const operation = portalOperations(app, 'Earnings');
  operation(
    ['get', '/earnings', 'listEarnings'],
    {
      of: 'publisher',
      summary: 'List the purchases that the creator earned from',
      description:
        'Lists the latest purchase first, by the time of the purchase. Test purchases are not listed.',
      query: {
        month: Type.Optional(
          Type.String({
            pattern: '^(20[0-9]{2}|19[7-9][0-9])-(0[1-9]|1[0-2])$',
            description: 'UTC month of the purchases, such as 2026-06.',
          }),
        ),
        code: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, pattern: storable, description: 'Credited code.' }),
        ),
        status: Type.Optional(
          oneOf(earningStatuses, {
            description: 'Status of the purchases. Normal: not taken back as a whole.',
          }),
        ),
        currency: Type.Optional(
          Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the shares.' }),
        ),
        ...pageQuery,
      },
      answer: pageOf(earning, 'EarningPage'),
    },
    async (request) => {
      const { publisher: publisherId, limit = 30, ...query } = request.query;
      const { rows, nextCursor } = await listEarnings(db, pages, {
        publisherId,
        accountIds: idsOf(accountsOf(request)),
        month: query.month ?? null,
        code: query.code ?? null,
        status: query.status ?? null,
        currency: query.currency ?? null,
        cursor: query.cursor ?? null,
        size: limit,
      });
      return { rows: rows.map(toEarning), nextCursor };
    },
  );

  operation(
    ['get', '/earnings/months', 'listEarningMonths'],
    {
      of: 'publisher',
      summary: 'List what the creator earned in each month',
      description:
        'Lists sums by the month of the purchase and by currency, latest month first, for the last three years. Purchases are added within seconds of being recorded.',
      answer: Type.Object({ rows: Type.Array(month) }, { title: 'EarningMonths' }),
    },
    async (request) => {
      const rows = await listMonths(db, clock, request.query.publisher, idsOf(accountsOf(request)));
      return { rows: rows.map(({ purchases, ...row }) => ({ ...row, purchases: Number(purchases) })) };
    },
  );

  operation(
    ['get', '/earnings/:earningId/explain', 'explainEarning'],
    {
      of: 'publisher',
      summary: 'Explain the share of a purchase',
      description:
        'Returns the shares that the six rules offered when the purchase was recorded, the rule that decided, the calculation, and everything that changed since.',
      path: { earningId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the earning.' }) },
      answer: explained,
    },
    async (request) => {
      const owner = { publisherId: request.query.publisher, accountIds: idsOf(accountsOf(request)) };
      return toExplained(await explainEarning(db, owner, request.params.earningId));
    },
  );
}

const toEarning = ({ membership, status, ...row }: Earning) => ({
  ...row,
  ...namesOfMembership(membership),
  status: status as (typeof earningStatuses)[number],
});

/** Leaves out ids of the publisher and what its staff wrote about refunds and holds. */
function toExplained(found: ExplainedEarning): Static<typeof explained> {
  const { explanation, names, refunds, adjustments, hold, heldUntil, isSplit } = found;
  const { decided } = explanation;
  return {
    earning: toEarning(found.earning),
    isSplit,
    explanation: {
      usesPlayerCode: explanation.usesPlayerCode,
      offers: explanation.offers.map(({ rule, offer }) => {
        const named = names.get(offer?.source ?? '');
        const isWindow = named !== undefined && 'startsAt' in named;
        return {
          rule,
          percent: offer === null ? null : millionthsToPercent(offer.shareMillionths),
          source:
            rule === 'sku' ? (offer?.source ?? null) : named === undefined || isWindow ? null : named.name,
          window: isWindow ? named : null,
        };
      }),
      rule: decided.rule,
      percent: millionthsToPercent(decided.shareMillionths),
      subtotalMinor: explanation.subtotalMinor,
      exact: decided.exact,
      shareMinor: decided.shareMinor,
      currency: explanation.currency,
    },
    changes: refunds.flatMap(({ reversal, createdAt, reinstated, rows: [row] }) =>
      row === undefined || row.amountMinor === 0n
        ? []
        : [
            {
              action: reversal,
              at: createdAt,
              amountMinor: row.amountMinor,
              shareMinor: row.shareMinor,
              reinstatedAt: reinstated?.at ?? null,
            },
          ],
    ),
    adjustments,
    hold,
    heldUntil,
  };
}
