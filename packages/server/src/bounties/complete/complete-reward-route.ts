import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { bodyErrors, errorBody, groupId, secretErrors, text } from '../../platform/http/schemas/schemas.ts';
import { bountyTags, completionFields } from '../read/bounty-record.ts';
import { completeReward } from './complete-reward.ts';

/** Operation 14 of the contract. */
export function completeRewardRoute(app: App, { db }: { db: Db }): void {
  app.post(
    '/v1/bounties/complete-reward/:rewardId',
    {
      // The one field is optional, and so is the body.
      config: {
        key: 'secret',
        group: 'as manage',
        bodyIsOptional: true,
        refusals: { BountyNotFound: { status: 404 } },
      },
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        operationId: 'completeReward',
        summary: 'Complete bounty reward',
        description:
          'Says that an External reward was delivered. Called again it changes nothing: the first referenceId stays.',
        tags: bountyTags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Type.Object({
          rewardId: text(255, 'From the progress of a member, or the webhook BountyReward.'),
        }),
        querystring: Type.Object({ groupId }),
        body: Type.Object(
          {
            referenceId: Type.Optional(text(255, "The publisher's own reference, such as a fulfillment id.")),
          },
          { title: 'RewardCompletion', description: 'That a reward was delivered.' },
        ),
        response: {
          200: Type.Object(completionFields, {
            title: 'CompletedReward',
            description: 'A reward, and whether it was delivered.',
          }),
          400: errorBody('InvalidInput.'),
          404: errorBody('InvalidGroup, or BountyNotFound: the group has no External reward with this id.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async ({ principal, group, actor, params, body }, reply) => {
      const { referenceId = '' } = body;
      const reward = await completeReward(db, actor, {
        publisherId: principal.publisherId,
        groupId: group.groupId,
        rewardId: params.rewardId,
        referenceId: referenceId === '' ? null : referenceId,
      });
      return sendJson(reply, reward);
    },
  );
}
