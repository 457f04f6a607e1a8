import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyErrors, errorBody, groupId, secretErrors, text } from '../../platform/http/schemas/schemas.ts';
import { bountyTags, completionFields } from '../read/bounty-record.ts';
import { completeReward } from './complete-reward.ts';

/** Registers operation 14 of the contract. */
export function completeRewardRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['post', '/v1/bounties/complete-reward/:rewardId', 'completeReward'],
    {
      // The only field is optional, so the body is too.
      config: {
        key: 'secret',
        group: 'as manage',
        bodyIsOptional: true,
        refusals: { BountyNotFound: { status: 404 } },
      },
      preValidation: async (request) => {
        request.body ??= {};
      },
      summary: 'Complete a bounty reward',
      description:
        'Marks an External reward as delivered. Completing the reward again has no effect: the first `referenceId` is kept.',
      tags: bountyTags,
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      path: {
        rewardId: text(255, "Id of the reward, from a member's progress or a `BountyReward` webhook event."),
      },
      query: { groupId },
      body: Type.Object(
        {
          referenceId: Type.Optional(text(255, 'Your reference for the delivery, such as a fulfillment id.')),
        },
        { title: 'RewardCompletion', description: 'Confirmation that a reward was delivered.' },
      ),
      answer: Type.Object(completionFields, {
        title: 'CompletedReward',
        description: 'A reward and the details of its completion.',
      }),
      errors: {
        400: errorBody('InvalidInput.'),
        404: errorBody('InvalidGroup, or BountyNotFound: the group has no External reward with this id.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async ({ principal, group, actor, params, body }) => {
      const { referenceId = '' } = body;
      const reward = await completeReward(db, actor, {
        publisherId: principal.publisherId,
        groupId: group.groupId,
        rewardId: params.rewardId,
        referenceId: referenceId === '' ? null : referenceId,
      });
      return reward;
    },
  );
}
