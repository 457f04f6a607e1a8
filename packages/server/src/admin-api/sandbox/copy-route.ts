import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { unavailable } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
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
      config: { staff: 'program' },
      schema: {
        operationId: 'copyToSandbox',
        summary: 'Copy the program to a new sandbox',
        description:
          'Groups, tiers, SKU shares, schedules, bounties, members and codes; with `purchasesSince`, up to 100,000 purchases that ' +
          'no payout has and that were not taken back, posted within seconds. Not: buyers, payouts, API keys, webhooks, staff, ' +
          'identities. The sandbox before is closed for good. A large copy goes on after the answer: ask for the ' +
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
            purchasesSince: Type.Optional(
              nullable(timestamp('Copies purchases dated from then on; absent or null: none.')),
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
              purchaseCount: Type.Integer({ description: 'Rows of purchases that were copied.' }),
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
    async ({ params: { publisherId }, body: { replaces, purchasesSince = null }, actor }, reply) => {
      if (!(await turns.take(publisherId, patienceMs)))
        throw unavailable('Other programs are being copied; try again in a moment.');
      const asked = {
        publisherId,
        replaces,
        purchasesSince: purchasesSince === null ? null : readTimestamp(purchasesSince),
      };
      const copying = copyToSandbox(background, actor, asked, clock.now()).finally(() =>
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
        purchaseCount: copied?.purchaseCount ?? 0,
        leftOut: copied?.leftOut ?? [],
      });
    },
  );
}
