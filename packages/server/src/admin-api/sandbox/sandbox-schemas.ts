import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { loadSteps } from '../../program-file/demo/load-demo.ts';
import { readDemoLoad } from '../../publishers/demo-loads.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import { findSandbox } from '../../publishers/sandboxes.ts';
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
    copiedAt: time('Time of the copy, or of the start of the load.'),
    isDemo: Type.Boolean({ description: 'True if the sandbox was filled with demo data instead of a copy.' }),
    now: time('Current time on the sandbox clock.'),
    aheadMs: Type.Integer({
      description: "Milliseconds by which the sandbox clock is ahead of the service's clock.",
    }),
  },
  { title: 'Sandbox' },
);

export const demoLoading = Type.Object(
  {
    step: Type.Integer({ description: 'Number of finished steps.' }),
    steps: Type.Integer({ description: 'Total number of steps.' }),
    startedAt: time('Time when the load started.'),
  },
  { title: 'DemoLoading' },
);

export const sandboxAnswer = Type.Object(
  {
    sandbox: nullable(sandbox),
    loading: nullable(demoLoading),
  },
  {
    title: 'SandboxAnswer',
    description:
      'The sandbox, or null if the publisher has none; and the running load of demo data, which replaces the sandbox once it is complete.',
  },
);

/** Reads the sandbox of a live publisher, or the sandbox itself, with the state of its demo data. */
export async function showSandbox(db: Db, publisherId: string, clock: Clock) {
  const found = await findSandbox(db, publisherId);
  const load = await readDemoLoad(db, found?.live.publisherId ?? publisherId);
  return {
    sandbox: found && {
      ...found,
      isDemo: load?.isRunning === false && load.sandboxId === found.publisherId,
      now: laterBy(clock.now(), found.aheadMs).toISOString(),
    },
    loading:
      load?.isRunning === true ? { step: load.step, steps: loadSteps, startedAt: load.startedAt } : null,
  };
}
