import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { FairTurns } from '../../platform/work/fair-turns.ts';
import { waitBriefly } from '../../platform/work/wait-briefly.ts';
import { copyToSandbox } from '../../program-file/copy/copy-to-sandbox.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable } from '../schemas.ts';
import { takeTurn } from './copy-turns.ts';
import { sandbox, showSandbox } from './sandbox-schemas.ts';

export function copyRoute(app: App, { clock, database, log }: Service, turns: FairTurns): void {
  const { operation } = adminOperations(app, 'Sandbox');
  const { background, db } = database;
  operation(
    ['post', '/publishers/:publisherId/sandbox', 'copyToSandbox'],
    {
      may: 'program',
      summary: 'Copy the program to a new sandbox',
      description:
        'Copies groups, tiers, SKU shares, schedules, bounties, members and codes. With `purchasesSince`, also copies up ' +
        'to 100,000 purchases that are neither in a payout nor reversed, and posts them within seconds. Does not copy ' +
        'buyers, payouts, API keys, webhooks, staff or identities. The previous sandbox is permanently closed. A large copy ' +
        'continues after the response: poll the sandbox until its publisherId changes.',
      body: Type.Object(
        {
          replaces: nullable(
            Type.String({
              maxLength: 255,
              description: 'publisherId of the sandbox to close, as last read; null if there was none.',
            }),
          ),
          purchasesSince: Type.Optional(
            nullable(timestamp('Copies purchases since this time. If absent or null, copies none.')),
          ),
        },
        { ...closed, title: 'SandboxToCopy' },
      ),
      answer: Type.Object(
        {
          isDone: Type.Boolean({ description: 'False while the copy continues in the background.' }),
          sandbox: nullable(sandbox),
          memberCount: Type.Integer({ description: 'Number of members copied.' }),
          purchaseCount: Type.Integer({ description: 'Number of purchase rows copied.' }),
          leftOut: Type.Array(Type.String(), {
            description: 'Parts that were not copied, because a program file cannot express them.',
          }),
        },
        { title: 'CopiedToSandbox' },
      ),
    },
    async ({ params: { publisherId }, body: { replaces, purchasesSince = null }, actor }) => {
      const request = {
        publisherId,
        replaces,
        purchasesSince: purchasesSince === null ? null : readTimestamp(purchasesSince),
      };
      await takeTurn(turns, publisherId);
      const copying = copyToSandbox(background, actor, request, clock.now()).finally(() =>
        turns.giveBack(publisherId),
      );
      const copied = await waitBriefly(copying, (err) =>
        log.error({ err, publisherId }, 'copying to a sandbox failed after the response'),
      );
      return {
        isDone: copied !== null,
        sandbox: copied && (await showSandbox(db, copied.sandboxId, clock)).sandbox,
        memberCount: copied?.memberCount ?? 0,
        purchaseCount: copied?.purchaseCount ?? 0,
        leftOut: copied?.leftOut ?? [],
      };
    },
  );
}
