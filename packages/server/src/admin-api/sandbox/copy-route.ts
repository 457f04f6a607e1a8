import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { unavailable } from '../../platform/refusal.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';
import { copyToSandbox } from '../../program-file/copy/copy-to-sandbox.ts';
import { findSandbox } from '../../publishers/sandboxes.ts';
import { soonEnough } from '../payouts/soon-enough.ts';
import { adminErrors, nullable, publisherPath } from '../schemas.ts';
import { sandbox, sandboxTags, shownSandbox } from './sandbox-schemas.ts';

/** One takes one of the connections that settlement has, too, and its members are in memory. */
const copiesAtOnce = 1;
const copiesWaiting = 20;
const patienceMs = 10_000;

export function copyRoute(app: App, { clock, database, log }: Service): void {
  const { background, db } = database;
  const turns = new FairTurns({ places: copiesAtOnce, waitingPlaces: copiesWaiting });
  app.post(
    '/publishers/:publisherId/sandbox',
    {
      config: { staff: 'programme' },
      schema: {
        operationId: 'copyToSandbox',
        summary: 'Copy the programme to a new sandbox',
        description:
          'Groups, tiers, SKU shares, schedules, bounties, members and codes. Not: purchases, buyers, API keys, webhooks, ' +
          'staff, identities. The sandbox before is closed for good. A large copy goes on after the answer: ask for the ' +
          'sandbox until it is another one.',
        tags: sandboxTags,
        params: publisherPath,
        body: Type.Object(
          {
            replaces: nullable(
              Type.String({
                maxLength: 255,
                description:
                  'publisherId of the sandbox that was seen and is to be closed; null: there was none.',
              }),
            ),
          },
          { ...closed, title: 'SandboxToCopy' },
        ),
        response: {
          200: Type.Object(
            {
              isDone: Type.Boolean({ description: 'false while it goes on by itself.' }),
              sandbox: nullable(sandbox),
              memberCount: Type.Integer({ description: 'Members that were copied.' }),
              leftOut: Type.Array(Type.String(), {
                description: 'What was not copied, because no program file can say it.',
              }),
            },
            { title: 'CopiedToSandbox' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, body: { replaces }, actor }, reply) => {
      if (!(await turns.take(publisherId, patienceMs)))
        throw unavailable('Other programmes are being copied; try again in a moment.');
      const copying = copyToSandbox(background, actor, { publisherId, replaces }, clock.now()).finally(() =>
        turns.giveBack(publisherId),
      );
      const copied = await soonEnough(copying, (err) =>
        log.error({ err, publisherId }, 'a copy to a sandbox stopped that went on after its answer'),
      );
      const found = copied && (await findSandbox(db, copied.sandboxId));
      return sendJson(reply, {
        isDone: copied !== null,
        sandbox: found && shownSandbox(found, clock),
        memberCount: copied?.memberCount ?? 0,
        leftOut: copied?.leftOut ?? [],
      });
    },
  );
}
