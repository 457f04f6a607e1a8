import { defineConfig } from 'vitest/config';

const testsOf = (name: string) => [`packages/${name}/{src,test}/**/*.test.ts`];

export default defineConfig({
  test: {
    // Tests talk to real processes and a real database; two cores make some of them slow.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: testsOf('server'),
          globalSetup: ['packages/server/test/global-setup.ts'],
        },
      },
      // No database: `npx vitest run --project sdk` starts none.
      { extends: true, test: { name: 'sdk', include: testsOf('sdk') } },
    ],
  },
});
