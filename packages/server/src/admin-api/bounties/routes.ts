import { Type } from 'typebox';
import { endBounty } from '../../bounties/define/end-bounty.ts';
import { putBounty } from '../../bounties/define/put-bounty.ts';
import { progressRecord } from '../../bounties/read/bounty-record.ts';
import { type BountyState, states } from '../../bounties/read/bounty-state.ts';
import { listProgress } from '../../bounties/read/list-progress.ts';
import { listSummaries } from '../../bounties/read/list-summaries.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toBountyId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { adminOperations } from '../admin-operations.ts';
import { withProvenance } from '../provenance.ts';
import { groupQuery, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { bountyBody, bountyDetail, bountyRow, toBountyInput } from './bounty-schemas.ts';
import { getBounty } from './get-bounty.ts';
import { rewardRoutes } from './reward-routes.ts';

const bountyPath = Type.Object({ ...publisherPath.properties, bountyId: Type.String({ maxLength: 64 }) });

export function bountyAdminRoutes(app: App, service: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Bounties');
  const { db } = service.database;
  readRoutes(app, service, pages);
  rewardRoutes(app, { db, pages });
  operation(
    ['post', '/publishers/:publisherId/bounties', 'createBounty'],
    {
      may: 'program',
      refusals: { BountyNotFound: { status: 400 } },
      summary: 'Create a bounty',
      description:
        'Purchases and events count from the start of the bounty, even if they were recorded before the bounty was created.',
      body: bountyBody,
      answer: bountyDetail,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const { groupId } = body;
      const { bountyId } = await joiningRefusals(() =>
        putBounty(db, actor, { publisherId, groupId, version: null, ...toBountyInput(body) }),
      );
      return await getBounty(db, { publisherId, bountyId }, await nowAt(db, service.clock, publisherId));
    },
  );
  operation(
    ['put', '/publishers/:publisherId/bounties/:bountyId', 'putBounty'],
    {
      may: 'program',
      refusals: { BountyNotFound: { status: 400 } },
      summary: 'Replace the terms of a bounty',
      description:
        'Changing objectives that members have begun, or rewards that they received, fails with 409.',
      path: bountyPath.properties,
      body: bountyBody,
      answer: bountyDetail,
    },
    async ({ params: { publisherId, bountyId: id }, body, actor }) => {
      const { groupId, version } = body;
      const { bountyId } = await joiningRefusals(() =>
        putBounty(db, actor, { publisherId, groupId, version, id, ...toBountyInput(body) }),
      );
      return await getBounty(db, { publisherId, bountyId }, await nowAt(db, service.clock, publisherId));
    },
  );
  operation(
    ['post', '/publishers/:publisherId/bounties/:bountyId/end', 'endBounty'],
    {
      may: 'program',
      summary: 'End a bounty immediately and permanently',
      path: bountyPath.properties,
      body: Type.Object({}, closed),
      answer: bountyDetail,
    },
    async ({ params, actor }) => {
      const bounty = { publisherId: params.publisherId, bountyId: toBountyId(params.bountyId) };
      const now = await nowAt(db, service.clock, params.publisherId);
      await endBounty(db, actor, bounty, now);
      return await getBounty(db, bounty, now);
    },
  );
}

function readRoutes(app: App, { database: { db }, clock }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Bounties');
  operation(
    ['get', '/publishers/:publisherId/bounties', 'listAllBounties'],
    {
      may: 'read',
      summary: 'List bounties by state, latest start first',
      query: {
        ...groupQuery,
        ...pageQuery,
        state: Type.Optional(Type.Unsafe<BountyState>(Type.String({ enum: [...states] }))),
      },
      answer: pageOf(bountyRow, 'BountyRowPage'),
    },
    async ({ params: { publisherId }, query }) => {
      const page = await listSummaries(db, pages, {
        publisherId,
        groupId: query.group ?? null,
        state: query.state ?? null,
        cursor: query.cursor ?? null,
        size: query.limit ?? 50,
        now: await nowAt(db, clock, publisherId),
      });
      const target = ({ bountyId }: { bountyId: string }): string => `bounty:${bountyId}`;
      return { ...page, rows: await withProvenance(db, publisherId, page.rows, target) };
    },
  );
  operation(
    ['get', '/publishers/:publisherId/bounties/:bountyId', 'showBounty'],
    {
      may: 'read',
      summary: 'Get a bounty with its locked fields',
      path: bountyPath.properties,
      answer: bountyDetail,
    },
    async ({ params: { publisherId, bountyId } }) => {
      const now = await nowAt(db, clock, publisherId);
      return await getBounty(db, { publisherId, bountyId: toBountyId(bountyId) }, now);
    },
  );
  operation(
    ['get', '/publishers/:publisherId/bounties/:bountyId/progress', 'listBountyProgress'],
    {
      may: 'read',
      summary: "List members' progress toward a bounty",
      path: bountyPath.properties,
      query: pageQuery,
      answer: pageOf(progressRecord, 'BountyProgressPage'),
    },
    async ({ params, query }) => {
      const bounty = { publisherId: params.publisherId, bountyId: toBountyId(params.bountyId) };
      const page = { cursor: query.cursor ?? null, size: query.limit ?? 50 };
      return await listProgress(db, pages, bounty, page);
    },
  );
}

/** Runs the work. If the work raises several refusals, joins their distinct messages into one Refusal. */
async function joiningRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.others.length === 0) throw error;
    const messages = new Set([error, ...error.others].map(({ message }) => message));
    throw new Refusal(error.code, [...messages].join('; '), { cause: error });
  }
}
