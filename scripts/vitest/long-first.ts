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
  'server/test/simulation/money',
  'server/test/faults',
  'server/test/webhook-workers',
  'server/test/cli/start',
  'server/test/cli/schema',
  'server/test/cli/two-versions',
  'server/test/cli/webhook-commands',
  'server/test/cli/users',
  'server/test/pgbouncer',
  'server/src/settlement/verify/verify-large',
  'server/src/webhooks/delivery/isolation',
  'server/src/attributions/list/list-counts',
  'server/src/platform/http/sockets',
  'server/src/attributions/hostile-fields',
  'server/test/cli/migrate-locks',
  'server/src/platform/database/schema/service-rights',
  'server/test/idle',
  'server/test/cli/restore',
  'server/src/webhooks/delivery/delivery',
  'server/test/cli/keys',
  'server/src/settlement/payouts/payout-crash',
  'server/test/cli/drain',
  'server/test/cli/full-disk',
  'server/test/cli/doctor',
  'server/src/bounties/define/put-bounties',
  'server/test/generated-clients',
  'server/test/killed-run',
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
