import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import type { Sandbox } from '../../publishers/sandboxes.ts';
import { nullable, time } from '../schemas.ts';

export const sandboxTags = ['Sandbox'];

export const sandbox = Type.Object(
  {
    publisherId: Type.String({
      description: 'Its own; it stands in the paths of everything that is asked of it.',
    }),
    name: Type.String(),
    live: Type.Object(
      { publisherId: Type.String(), name: Type.String() },
      { title: 'LivePublisher', description: 'What it was copied from.' },
    ),
    copiedAt: time('When it was copied.'),
    now: time('What its clock says.'),
    aheadMs: Type.Integer({ description: 'By how many milliseconds its clock is ahead.' }),
  },
  { title: 'Sandbox' },
);

export const maybeSandbox = Type.Object(
  { sandbox: nullable(sandbox) },
  { title: 'MaybeSandbox', description: 'null: there is none.' },
);

export const shownSandbox = ({ copiedAt, ...rest }: Sandbox, clock: Clock): Static<typeof sandbox> => ({
  ...rest,
  copiedAt: copiedAt.toISOString(),
  now: laterBy(clock.now(), rest.aheadMs).toISOString(),
});
