import { defineConfig } from 'vitest/config';
import { LongFirst } from './scripts/vitest/long-first.ts';
import { RunSummary } from './scripts/vitest/run-summary.ts';

const leaveNothing = 'scripts/vitest/leave-nothing.ts';
const testsOf = (name: string) => [`packages/${name}/{src,test}/**/*.test.ts`];

export default defineConfig({
  test: {
    // Tests talk to real processes and a real database; two cores make some of them slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } }, // one second by default, which a busy machine exceeds
    // Tests also wait for timers, processes and pages. With two workers, two cores were idle for a fifth of the time.
    maxWorkers: 4,
    pool: 'forks',
    // The files that one worker runs share its modules, which took a third of the processors' time to load for each.
    // So what a module keeps must not matter to another file: no test mocks a module or changes its environment.
    isolate: false,
    sequence: { sequencer: LongFirst },
    reporters: ['default', new RunSummary()],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: testsOf('server'),
          globalSetup: [leaveNothing, 'packages/server/test/global-setup.ts'],
        },
      },
      // One browser and one database for the run; `npx vitest run --project web` (CONTRIBUTING.md).
      {
        extends: true,
        test: {
          name: 'web',
          include: testsOf('web'),
          // A script acts faster than a person, so on a busy machine it may act before a page is ready. The end of the run
          // lists the tests that needed the second try: each is a race to remove.
          retry: 1,
          globalSetup: [
            leaveNothing,
            'packages/server/test/global-setup.ts',
            'packages/web/test/global-setup.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: testsOf('client'),
          globalSetup: [leaveNothing, 'packages/server/test/global-setup.ts'],
        },
      },
    ],
  },
});
