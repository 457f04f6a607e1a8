import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import type { Sandbox } from '../../publishers/sandboxes.ts';
import { nullable, time } from '../schemas.ts';

export const sandbox = Type.Object(
  {
    publisherId: Type.String({
      description: 'Id of the sandbox, for the paths of its requests.',
    }),
    name: Type.String(),
    live: Type.Object(
      { publisherId: Type.String(), name: Type.String() },
      { title: 'LivePublisher', description: 'Live publisher that the sandbox was copied from.' },
    ),
    copiedAt: time('Time of the copy.'),
    now: time('Current time on the sandbox clock.'),
    aheadMs: Type.Integer({
      description: "Milliseconds by which the sandbox clock is ahead of the service's clock.",
    }),
  },
  { title: 'Sandbox' },
);

export const sandboxAnswer = Type.Object(
  { sandbox: nullable(sandbox) },
  { title: 'SandboxAnswer', description: 'The sandbox, or null if the publisher has none.' },
);

export const shownSandbox = ({ copiedAt, ...rest }: Sandbox, clock: Clock): Static<typeof sandbox> => ({
  ...rest,
  copiedAt,
  now: laterBy(clock.now(), rest.aheadMs).toISOString(),
});
