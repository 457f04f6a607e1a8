import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { advanceClock } from '../../publishers/advance-clock.ts';
import { findSandbox } from '../../publishers/sandboxes.ts';
import { adminErrors, publisherPath } from '../schemas.ts';
import { maybeSandbox, sandboxTags, shownSandbox } from './sandbox-schemas.ts';

export function clockRoute(app: App, { clock, database: { db } }: Service): void {
  app.post(
    '/publishers/:publisherId/clock',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'advanceClock',
        summary: 'Move the clock of a sandbox forward',
        description:
          'Hold periods end, schedules and bounties begin and end as if the time had passed. It never goes back; ten years ahead at most.',
        tags: sandboxTags,
        params: publisherPath,
        body: Type.Object(
          {
            to: timestamp('What the clock is to say.'),
            aheadMs: Type.Integer({ minimum: 0, description: 'The one that was seen.' }),
          },
          { ...closed, title: 'ClockToAdvance' },
        ),
        response: { 200: maybeSandbox, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body: { to, aheadMs }, actor }, reply) => {
      const asked = { publisherId, to: readTimestamp(to), seenAheadMs: aheadMs };
      await advanceClock(db, actor, asked, clock);
      const found = await findSandbox(db, publisherId);
      return sendJson(reply, { sandbox: found && shownSandbox(found, clock) });
    },
  );
}
