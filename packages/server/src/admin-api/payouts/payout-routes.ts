import { Type } from 'typebox';
import { needsAnotherPerson } from '../../accounts/needs-another-person.ts';
import { findExported } from '../../audit/exported-payouts.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable, timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { waitBriefly } from '../../platform/work/wait-briefly.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { cancelPayout } from '../../settlement/payouts/cancel-payout.ts';
import { startPayout } from '../../settlement/payouts/create/start-payout.ts';
import { maxReferenceLength } from '../../settlement/payouts/payout-reference.ts';
import { listPayoutItems } from '../../settlement/payouts/read/list-payout-items.ts';
import { listPayouts } from '../../settlement/payouts/read/list-payouts.ts';
import { getPayout } from '../../settlement/payouts/read/read-payouts.ts';
import { readResultTotals } from '../../settlement/payouts/results/read-result-totals.ts';
import { lineResults } from '../../settlement/payouts/results/result.ts';
import { runOfPayout } from '../../settlement/payouts/runs/read-pay-runs.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, inputMinor, minor, nullable, oneOf, pageOf, pageQuery, time } from '../schemas.ts';
import { exactly, payoutConflict } from './payout-change-schema.ts';
import { currencyText, lineResult, payout, payoutPath, payoutStatuses, toPayout } from './payout-model.ts';
import { reductions, toReductions } from './reduction-schema.ts';

const item = Type.Object(
  {
    itemId: Type.String(),
    reference: Type.String({
      description:
        'Reference of the line, such as `1042-00017`: at most 15 characters, unique for the publisher. Used to match lines with payment files.',
    }),
    memberId: Type.String(),
    name: Type.String(),
    playerId: nullable(Type.String()),
    rowCount: Type.Integer(),
    paymentsMinor: minor('Sum of shares of purchases.'),
    rewardCount: Type.Integer(),
    rewardsMinor: minor('Sum of bounty rewards.'),
    adjustmentsMinor: minor(
      'Clawbacks deducted (negative), and amounts of earlier lines that failed or were returned (positive).',
    ),
    amountMinor: minor('Amount paid to the member.'),
    method: nullable(
      Type.Object(
        {
          methodId: Type.String(),
          kind: Type.String({ description: 'Kind of payout method: paypal, wise-email or sepa.' }),
          hint: Type.String({ description: 'Masked account or address.' }),
        },
        { title: 'LineMethod', description: 'Payout method that the line is paid with.' },
      ),
    ),
    isWithoutFile: Type.Boolean({
      description:
        'True if no payment file contains the line: it has no payout method, or is too large for a bank.',
    }),
    result: nullable(lineResult),
    resultNote: nullable(Type.String({ description: 'Note on the result.' })),
    resultAt: nullable(
      time('Time at which the result was set; null for a line whose result comes from its payout.'),
    ),
  },
  { title: 'PayoutItem' },
);

const cancelledPayout = Type.Object(
  {
    isDone: Type.Boolean({ description: 'False while steps remain; they continue in the background.' }),
    payout,
  },
  { title: 'CancelledPayout' },
);

export function payoutRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listRoute(app, service, pages);
  getRoute(app, service, pages);
  createRoute(app, service);
  payRoute(app, service);
  cancelRoute(app, service);
}

function listRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/payouts', 'listPayouts'],
    {
      may: 'read',
      summary: 'List payouts, newest first',
      query: {
        ...groupQuery,
        ...pageQuery,
        status: Type.Optional(
          Type.Array(oneOf(payoutStatuses), {
            description:
              'One or more statuses, as a repeated parameter or separated by commas. The default is all.',
          }),
        ),
        currency: Type.Optional(currencyText),
      },
      answer: pageOf(payout, 'PayoutPage'),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { group: groupId, status: statuses, currency, cursor = null, limit: size = 50 } = request.query;
      const page = { cursor, size, groupId, statuses, currency, withoutUndone: true };
      const { rows, nextCursor } = await listPayouts(db, pages, publisherId, page);
      return { rows: rows.map(toPayout), nextCursor };
    },
  );
}

function getRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/payouts/:payoutId', 'getPayout'],
    {
      may: 'read',
      summary: 'Get a payout with its items',
      description: "Amounts are as of creation; the member's name and player are current.",
      path: payoutPath.properties,
      query: {
        ...pageQuery,
        reference: Type.Optional(
          Type.String({
            maxLength: maxReferenceLength,
            pattern: storable,
            description: 'Lists only items whose reference contains this text, regardless of case.',
          }),
        ),
        result: Type.Optional(
          oneOf([...lineResults, 'None'], {
            description: 'Lists only items with this result. `None` lists items without a result.',
          }),
        ),
        withoutFile: Type.Optional(
          Type.Boolean({ description: 'True to list only the items that no payment file contains.' }),
        ),
      },
      answer: Type.Object(
        {
          payout,
          needsAnother: Type.Boolean({
            description:
              'True if the publisher requires a second person to mark payouts as paid, and the caller created this payout, directly or with a token.',
          }),
          isExported: Type.Boolean({
            description: 'True if anyone has downloaded a file of this payout, such as a payment file.',
          }),
          payRunId: nullable(
            Type.String({
              description: 'Pay run that created the payout; null for a payout created on its own.',
            }),
          ),
          results: Type.Array(
            Type.Object(
              {
                result: nullable(lineResult),
                count: Type.Integer(),
                amountMinor: minor('Sum of the lines.'),
              },
              { title: 'ResultTotal' },
            ),
            { description: 'Number and sum of all items, by result; null for those without one.' },
          ),
          items: Type.Array(item),
          nextCursor: nullable(Type.String()),
        },
        { title: 'PayoutWithItems' },
      ),
    },
    async (request) => {
      const { publisherId, payoutId } = request.params;
      const { cursor = null, limit: size = 50, reference, result, withoutFile } = request.query;
      const batch = await getPayout(db, publisherId, payoutId);
      const key = { publisherId, batchId: batch.batchId, reference, result, withoutFile };
      const { rows, nextCursor } = await listPayoutItems(db, pages, key, { cursor, size });
      const { kind, id } = request.actor;
      const needsAnother = await needsAnotherPerson(db, publisherId, batch.createdBy, { kind, id });
      const isExported = (await findExported(db, publisherId, [batch.batchId])).has(batch.batchId);
      const payRunId = await runOfPayout(db, publisherId, batch.batchId);
      const results = await readResultTotals(db, publisherId, batch);
      return {
        payout: toPayout(batch),
        needsAnother,
        isExported,
        payRunId,
        results,
        items: rows,
        nextCursor,
      };
    },
  );
}

function createRoute(app: App, { database: { db, background } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  const answer = Type.Object(
    {
      isDone: Type.Boolean({ description: 'False while steps remain; they continue in the background.' }),
      payouts: Type.Array(payout, {
        description: 'Created payouts, one for each currency; empty if no member is due a payment.',
      }),
      reductions,
    },
    { title: 'CreatedPayouts' },
  );
  operation(
    ['post', '/publishers/:publisherId/payouts', 'createPayout'],
    {
      may: 'payouts',
      summary: 'Create the payout that a preview showed',
      description:
        "With a preview's `asOf`, it pays each member the amount in the preview, or less if some of it was refunded or put on hold since then, " +
        'but never more. `reductions` names these members. A second request with the same `asOf` returns the same payout and does not create another one.',
      body: Type.Object(
        {
          groupId: Type.String({ minLength: 1, maxLength: 255 }),
          asOf: timestamp('`asOf` from the preview.'),
          currency: Type.Optional(currencyText),
          exactly,
        },
        { ...closed, title: 'PayoutToCreate' },
      ),
      answer,
      otherAnswers: { 202: answer, 409: payoutConflict },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { groupId, asOf, currency = null, exactly: isExact = false } = request.body;
      await findGroup(db, publisherId, groupId);
      const { isDone, payouts, reductions } = await startPayout(
        background,
        request.actor,
        { publisherId, groupId, currency, asOf: readTimestamp(asOf), isExact },
        (error) =>
          request.log.error({ err: error }, 'creating a payout failed after the response; it is canceled'),
      );
      reply.code(isDone ? 200 : 202);
      return { isDone, payouts: payouts.map(toPayout), reductions: toReductions(reductions) };
    },
  );
}

function payRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/payouts/:payoutId/pay', 'markPayoutPaid'],
    {
      may: 'payouts',
      fresh: true,
      people: true,
      summary: 'Mark a payout as paid',
      description:
        'Records that the money was sent. This cannot be undone. The body repeats the total; a different total is ' +
        'rejected. If the publisher requires a second person, the person who created the payout, directly ' +
        'or with a token, cannot mark it as paid.',
      path: payoutPath.properties,
      body: Type.Object(
        { totalMinor: inputMinor("The payout's `totalMinor`.") },
        { ...closed, title: 'PayoutToPay' },
      ),
      answer: payout,
    },
    async (request) => {
      const { publisherId, payoutId } = request.params;
      const totalMinor = BigInt(request.body.totalMinor);
      await operations.markPayoutPaid(db, request.actor, { publisherId, payoutId, totalMinor });
      return toPayout(await getPayout(db, publisherId, payoutId));
    },
  );
}

function cancelRoute(app: App, { database: { db, background } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/payouts/:payoutId/cancel', 'cancelPayout'],
    {
      may: 'payouts',
      summary: 'Cancel a payout before it is paid',
      description: 'Its rows can be paid by another payout. A second request changes nothing.',
      path: payoutPath.properties,
      body: Type.Object(
        { reason: Type.Optional(Type.String({ maxLength: 2_000, pattern: storable })) },
        { ...closed, title: 'PayoutToCancel' },
      ),
      answer: cancelledPayout,
      otherAnswers: { 202: cancelledPayout },
    },
    async (request, reply) => {
      const { publisherId, payoutId } = request.params;
      const cancellation = { publisherId, payoutId, reason: request.body.reason ?? null };
      const cancelling = cancelPayout(background, request.actor, cancellation).then(() => true);
      const isDone = await waitBriefly(cancelling, (error) =>
        request.log.error(
          { err: error },
          'canceling a payout failed after the response; a worker will finish it',
        ),
      );
      const batch = await getPayout(db, publisherId, payoutId);
      reply.code(isDone ? 200 : 202);
      return { isDone: isDone === true, payout: toPayout(batch) };
    },
  );
}
