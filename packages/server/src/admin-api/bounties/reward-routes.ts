import { Type } from 'typebox';
import { completeReward } from '../../bounties/complete/complete-reward.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed, inputGroupId } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable, pageOf, pageQuery, time } from '../schemas.ts';
import { listRewards } from './list-rewards.ts';

const rewardRow = Type.Object(
  {
    rewardId: Type.String({ description: 'Id of the reward that this member received.' }),
    name: Type.String(),
    externalId: nullable(Type.String({ description: 'Id of the reward in the publisher’s catalog.' })),
    bountyId: Type.String(),
    bountyName: Type.String(),
    groupId: Type.String(),
    accountId: Type.String(),
    memberName: Type.String(),
    completedAt: time('When the member completed the bounty.'),
    isDelivered: Type.Boolean(),
    referenceId: nullable(Type.String({ description: 'Publisher’s reference for the delivery.' })),
  },
  { title: 'GivenReward' },
);

export function rewardRoutes(app: App, { db, pages }: { db: Db; pages: Pages }): void {
  const { operation } = adminOperations(app, 'Bounties');
  operation(
    ['get', '/publishers/:publisherId/rewards', 'listGivenRewards'],
    {
      may: 'read',
      summary: 'List undelivered or delivered External rewards',
      query: {
        ...groupQuery,
        ...pageQuery,
        bounty: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'Bounty whose rewards are listed. The default is all bounties.',
          }),
        ),
        state: Type.Optional(
          Type.Unsafe<'waiting' | 'delivered'>(
            Type.String({ enum: ['waiting', 'delivered'], default: 'waiting' }),
          ),
        ),
      },
      answer: pageOf(rewardRow, 'GivenRewardPage'),
    },
    ({ params, query }) =>
      listRewards(db, pages, {
        publisherId: params.publisherId,
        groupId: query.group ?? null,
        bountyId: query.bounty ?? null,
        isDelivered: query.state === 'delivered',
        cursor: query.cursor ?? null,
        size: query.limit ?? 50,
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/rewards/:rewardId/complete', 'completeGivenReward'],
    {
      may: 'program',
      refusals: { BountyNotFound: { status: 404 } },
      summary: 'Mark an External reward as delivered',
      description: 'A repeated call changes nothing, and the first reference is kept.',
      path: { rewardId: Type.String({ maxLength: 64 }) },
      body: Type.Object(
        { groupId: inputGroupId, referenceId: nullable(text(255, 'Your own reference for the delivery.')) },
        closed,
      ),
      answer: Type.Object(
        { rewardId: Type.String(), name: Type.String(), referenceId: nullable(Type.String()) },
        { title: 'DeliveredReward' },
      ),
    },
    async ({ params, body, actor }) => {
      const reward = await completeReward(db, actor, {
        ...params,
        groupId: body.groupId,
        referenceId: body.referenceId === '' ? null : body.referenceId,
      });
      const { id: rewardId, name, rewardReferenceId: referenceId = null } = reward;
      return { rewardId, name, referenceId };
    },
  );
}
