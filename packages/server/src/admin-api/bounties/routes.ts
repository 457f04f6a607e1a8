import { Type } from 'typebox';
import { endBounty } from '../../bounties/define/end-bounty.ts';
import { putBounty } from '../../bounties/define/put-bounty.ts';
import { progressRecord } from '../../bounties/read/bounty-record.ts';
import { listProgress } from '../../bounties/read/list-progress.ts';
import type { Service } from '../../composition.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toBountyId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { adminErrors, groupQuery, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import {
  type BountyState,
  bountyBody,
  bountyDetail,
  bountyRow,
  states,
  toBountyInput,
} from './bounty-schemas.ts';
import { getBounty } from './get-bounty.ts';
import { listBounties } from './list-bounties.ts';
import { rewardRoutes } from './reward-routes.ts';

const tags = ['Bounties'];
const bountyPath = Type.Object({ ...publisherPath.properties, bountyId: Type.String({ maxLength: 64 }) });
const config = { staff: 'program', refusals: { BountyNotFound: { status: 400 } } } as const;

/** Registers the routes of bounties, their progress and their rewards. */
export function bountyAdminRoutes(app: App, service: Service, pages: Pages): void {
  const { db } = service.database;
  readRoutes(app, service, pages);
  rewardRoutes(app, { db, pages });
  app.post(
    '/publishers/:publisherId/bounties',
    {
      config,
      schema: {
        operationId: 'createBounty',
        summary: 'Create a bounty',
        description: 'Purchases and events recorded since its start count.',
        tags,
        params: publisherPath,
        body: bountyBody,
        response: { 200: bountyDetail, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      const { groupId } = body;
      const { bountyId } = await joiningRefusals(() =>
        inTransaction(db, (tx) =>
          putBounty(tx, actor, { publisherId, groupId, version: null, ...toBountyInput(body) }),
        ),
      );
      return sendJson(
        reply,
        await getBounty(db, { publisherId, bountyId }, await nowAt(db, service.clock, publisherId)),
      );
    },
  );
  app.put(
    '/publishers/:publisherId/bounties/:bountyId',
    {
      config,
      schema: {
        operationId: 'putBounty',
        summary: 'Replace the terms of a bounty',
        description:
          'Changing objectives that members have begun, or rewards that they received, fails with 409.',
        tags,
        params: bountyPath,
        body: bountyBody,
        response: { 200: bountyDetail, ...adminErrors },
      },
    },
    async ({ params: { publisherId, bountyId: id }, body, actor }, reply) => {
      const { groupId, version } = body;
      const { bountyId } = await joiningRefusals(() =>
        inTransaction(db, (tx) =>
          putBounty(tx, actor, { publisherId, groupId, version, id, ...toBountyInput(body) }),
        ),
      );
      return sendJson(
        reply,
        await getBounty(db, { publisherId, bountyId }, await nowAt(db, service.clock, publisherId)),
      );
    },
  );
  app.post(
    '/publishers/:publisherId/bounties/:bountyId/end',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'endBounty',
        summary: 'End a bounty now and permanently',
        tags,
        params: bountyPath,
        body: Type.Object({}, closed),
        response: { 200: bountyDetail, ...adminErrors },
      },
    },
    async ({ params, actor }, reply) => {
      const bounty = { publisherId: params.publisherId, bountyId: toBountyId(params.bountyId) };
      const now = await nowAt(db, service.clock, params.publisherId);
      await endBounty(db, actor, bounty, now);
      return sendJson(reply, await getBounty(db, bounty, now));
    },
  );
}

function readRoutes(app: App, { database: { db }, clock }: Service, pages: Pages): void {
  app.get(
    '/publishers/:publisherId/bounties',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listAllBounties',
        summary: 'List bounties by state, latest start first',
        tags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          ...pageQuery,
          state: Type.Optional(Type.Unsafe<BountyState>(Type.String({ enum: [...states] }))),
        }),
        response: { 200: pageOf(bountyRow, 'BountyRowPage'), ...adminErrors },
      },
    },
    async ({ params, query }, reply) =>
      sendJson(
        reply,
        await listBounties(db, pages, {
          publisherId: params.publisherId,
          groupId: query.group ?? null,
          state: query.state ?? null,
          cursor: query.cursor ?? null,
          size: query.limit ?? 50,
          now: await nowAt(db, clock, params.publisherId),
        }),
      ),
  );
  app.get(
    '/publishers/:publisherId/bounties/:bountyId',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'showBounty',
        summary: 'Get a bounty with its locked fields',
        tags,
        params: bountyPath,
        response: { 200: bountyDetail, ...adminErrors },
      },
    },
    async ({ params: { publisherId, bountyId } }, reply) => {
      const now = await nowAt(db, clock, publisherId);
      return sendJson(reply, await getBounty(db, { publisherId, bountyId: toBountyId(bountyId) }, now));
    },
  );
  app.get(
    '/publishers/:publisherId/bounties/:bountyId/progress',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listBountyProgress',
        summary: 'List the progress of members on a bounty',
        tags,
        params: bountyPath,
        querystring: Type.Object(pageQuery),
        response: { 200: pageOf(progressRecord, 'BountyProgressPage'), ...adminErrors },
      },
    },
    async ({ params, query }, reply) => {
      const bounty = { publisherId: params.publisherId, bountyId: toBountyId(params.bountyId) };
      const page = { cursor: query.cursor ?? null, size: query.limit ?? 50 };
      return sendJson(reply, await listProgress(db, pages, bounty, page));
    },
  );
}

/** Runs the work. If it rejects several things, joins their messages into one Refusal, each message once. */
async function joiningRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.others.length === 0) throw error;
    const messages = new Set([error, ...error.others].map(({ message }) => message));
    throw new Refusal(error.code, [...messages].join('; '), { cause: error });
  }
}
