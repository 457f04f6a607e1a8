import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest test files take on two cores, most of them waiting. A long one that starts last is
 * waited for alone; files that are not here are short, and only their order among themselves is left to Vitest.
 */
const seconds: Readonly<Record<string, number>> = {
  'test/webhook-workers': 40,
  'test/cli/recovery': 29,
  'test/crash/crash': 29,
  'test/cli/start': 19,
  'test/cli/keys': 15,
  'test/pgbouncer': 15,
  'src/webhooks/isolation': 15,
  'test/cli/webhook-commands': 13,
  'test/cli/doctor': 12,
  'test/simulation/money': 10,
  'src/webhooks/changed-endpoints': 9,
  'test/cli/users': 9,
};

/** Runs the long test files first, so that the two workers end at about the same time. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}

function secondsOf({ moduleId, project }: TestSpecification): number {
  if (project.name !== 'server') return -1; // a worker serves one project: the others' few files come last
  return seconds[moduleId.replace(/^.*\/packages\/server\//, '').replace(/\.test\.ts$/, '')] ?? 0;
}
