import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The longest test files, longest first. A long one that starts last is waited for alone; files that are not here
 * are short, and their order among themselves is left to Vitest. A worker serves one project at a time and loads its
 * modules anew for another, so those of the sdk stand first, and its other files come last.
 */
const longest: readonly string[] = [
  'sdk/src/verify-properties',
  'sdk/test/receivers',
  'server/test/cli/recovery',
  'server/test/crash/crash',
  'server/test/cli/two-versions',
  'server/test/webhook-workers',
  'server/src/attributions/hostile-fields',
  'server/test/simulation/money',
  'server/test/cli/schema',
  'server/src/platform/database/service-rights',
  'server/test/cli/restore',
  'server/test/cli/start',
  'server/src/api-keys/key-limits',
  'server/test/pgbouncer',
  'server/test/idle',
  'server/test/killed-run',
  'server/src/webhooks/isolation',
  'server/test/cli/drain',
  'server/src/attributions/record/record-fairness',
  'server/test/cli/webhook-commands',
  'server/test/cli/secrets',
  'server/test/cli/older-installation',
  'server/test/cli/doctor',
  'server/test/cli/keys',
  'server/test/cli/users',
  'server/src/webhooks/delivery',
  'server/src/settlement/payout-races',
];

/** Runs the long test files first, so that the two workers end at about the same time. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = longest.indexOf(moduleId.replace(/^.*\/packages\//, '').replace(/\.test\.ts$/, ''));
  if (place !== -1) return place;
  return project.name === 'server' ? longest.length : longest.length + 1;
}
