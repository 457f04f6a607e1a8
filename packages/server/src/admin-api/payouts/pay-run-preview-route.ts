import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { readGroups } from '../../publishers/read-groups.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { readPlannedDays } from '../../settlement/payouts/read/read-calendars.ts';
import { readWithoutMethod } from '../../settlement/payouts/read/read-without-method.ts';
import { takeRunCutoff } from '../../settlement/payouts/runs/take-run-cutoff.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, pageQuery, time } from '../schemas.ts';
import type { ReadPreview } from './preview-reader.ts';
import {
  countWithoutMethod,
  membersWithoutMethod,
  plannedDay,
  previewTotals,
  totalsOf,
} from './preview-totals.ts';

/**
 * Time limit for a page. A page ends early when it reaches the limit. Groups with very many purchases take seconds
 * each, and proxies abort a request after 30 seconds.
 */
const maxPageMs = 5_000;

const groupPreview = Type.Object(
  {
    groupId: Type.String(),
    name: Type.String(),
    plannedFor: plannedDay,
    totals: Type.Array(previewTotals, { description: 'Empty if nothing is owed in the group.' }),
    membersWithoutMethod,
    problem: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        {
          title: 'GroupPreviewProblem',
          description:
            'Reason the group has no preview: a payout of the group is in progress, or was created after the cutoff, or the group’s terms changed.',
        },
      ),
    ),
  },
  { title: 'GroupPreview' },
);

export function payRunPreviewRoute(
  app: App,
  { database }: Service,
  { pages, preview }: { pages: Pages; preview: ReadPreview },
): void {
  const { operation } = adminOperations(app, 'Payouts');
  const { db, background } = database;
  operation(
    ['get', '/publishers/:publisherId/pay-runs/preview', 'previewPayRun'],
    {
      may: 'read',
      summary: 'Preview the payouts of all groups, with one cutoff',
      description:
        'Lists the totals of each group by currency, like the preview of a single group. Send `asOf` from the first page with the ' +
        'following pages, and with the pay run. A page can contain fewer groups than `limit` if they have very many purchases.',
      query: { ...pageQuery, asOf: Type.Optional(timestamp('`asOf` from an earlier preview.')) },
      answer: Type.Object(
        {
          asOf: time(
            'Cutoff of the preview. Payouts created with this cutoff pay the previewed amounts, less what was taken back since then.',
          ),
          groups: Type.Array(groupPreview),
          nextCursor: nullable(Type.String()),
        },
        { title: 'PayRunPreview' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { cursor = null, limit = 50, asOf: given } = request.query;
      await requirePublisher(db, publisherId);
      const asOf = given === undefined ? await takeRunCutoff(background, publisherId) : readTimestamp(given);
      const listing = ['pay run preview', publisherId, asOf.toISOString()];
      const [after = null] = pages.after(listing, cursor) ?? [];
      const all = await readGroups(db, publisherId);
      const from = after === null ? 0 : all.findIndex(({ groupId }) => groupId === after) + 1;
      const endsAtMs = performance.now() + maxPageMs;
      const groups = [];
      const wanted = all.slice(from, from + limit);
      const days = await readPlannedDays(db, {
        publisherId,
        groupIds: wanted.map(({ groupId }) => groupId),
        at: asOf,
      });
      for (const { groupId, name } of wanted) {
        if (groups.length > 0 && performance.now() > endsAtMs) break;
        const found = await asSeparateRequest(database, publisherId, () =>
          preview({ publisherId, groupId, currency: null, asOf }),
        ).then(
          async (read) => {
            const lacksMethod = await asSeparateRequest(database, publisherId, () =>
              readWithoutMethod(db, publisherId, read),
            );
            return {
              totals: totalsOf(read.rows, lacksMethod),
              membersWithoutMethod: countWithoutMethod(read.rows, lacksMethod),
              problem: null,
            };
          },
          (error) => ({ totals: [], membersWithoutMethod: 0, problem: problemOf(error) }),
        );
        groups.push({ groupId, name, plannedFor: days.get(groupId) ?? null, ...found });
      }
      const rest = all.slice(from, from + groups.length + 1);
      const { nextCursor } = pages.cut(listing, rest, groups.length, ({ groupId }) => [groupId]);
      return { asOf, groups, nextCursor };
    },
  );
}

/** Returns the reason a group can't be previewed. Other groups are unaffected. */
function problemOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
  return { code: error.code, message: error.message };
}
