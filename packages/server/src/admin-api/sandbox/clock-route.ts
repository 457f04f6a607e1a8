import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { advanceClock } from '../../publishers/advance-clock.ts';
import { adminOperations } from '../admin-operations.ts';
import { sandboxAnswer, showSandbox } from './sandbox-schemas.ts';

export function clockRoute(app: App, { clock, database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Sandbox');
  operation(
    ['post', '/publishers/:publisherId/clock', 'advanceClock'],
    {
      may: 'program',
      summary: 'Move the clock of a sandbox forward',
      description:
        'Hold periods end, and schedules and bounties start and end, as if the time had passed. The clock cannot move back, and can be at most ten years ahead.',
      body: Type.Object(
        {
          to: timestamp('New time of the clock.'),
          aheadMs: Type.Integer({ minimum: 0, description: 'aheadMs as last read.' }),
        },
        { ...closed, title: 'ClockToAdvance' },
      ),
      answer: sandboxAnswer,
    },
    async ({ params: { publisherId }, body: { to, aheadMs }, actor }) => {
      const move = { publisherId, to: readTimestamp(to), seenAheadMs: aheadMs };
      await advanceClock(db, actor, move, clock);
      return showSandbox(db, publisherId, clock);
    },
  );
}
