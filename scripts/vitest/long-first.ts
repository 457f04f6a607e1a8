import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in order. A worker reloads its modules when the project changes, so projects run one after the other. */
const projects: readonly string[] = ['client', 'server', 'web'];

/**
 * Longest test files, longest first. If a long file started last, the whole run would end up waiting for that
 * one file. Other files are short, and Vitest chooses their order.
 */
const longest: readonly string[] = [
  'client/src/webhooks/verify-properties',
  'server/test/cli/recovery',
  'server/test/crash/crash',
  'server/test/simulation/money',
  'server/test/cli/start',
  'server/src/webhooks/purge-events',
  'server/test/tracing',
  'server/src/admin-api/transactions/export-transactions',
  'server/test/faults',
  'server/test/cli/two-versions',
  'server/test/cli/full-disk',
  'server/test/cli/users',
  'server/test/webhook-workers',
  'server/test/pgbouncer',
  'server/test/cli/webhook-commands',
  'server/src/webhooks/delivery/isolation',
  'server/src/platform/http/sockets',
  'server/src/attributions/hostile-fields',
  'server/test/cli/restore',
  'server/test/cli/drain',
  'server/src/settlement/verify/verify-ledger',
  'server/test/cli/secrets',
  'server/test/cli/migrate-locks',
  'server/test/cli/schema',
  'server/src/linking/claim-money',
  'server/test/idle',
  'server/src/settlement/verify/verify-large',
  'server/src/admin-api/payouts/payouts',
  'server/src/settlement/post/post-steady',
  'server/src/bounties/define/put-bounties',
  'server/test/cli/keys',
  'server/test/cli/doctor',
  'server/test/cli/webhooks',
  'server/src/attributions/list/list-counts',
  'server/src/settlement/payouts/payout-crash',
  'server/test/generated-clients',
  'server/test/documents/documented-commands',
  'server/test/documents/generator-commands',
  'server/test/killed-run',
  'web/test/journeys/operation-screens',
  'web/test/journeys/program-screens',
  'web/test/journeys/screens',
  'web/test/journeys/creators',
  'web/test/journeys/staff',
  'web/test/journeys/plan-schedule',
  'web/test/journeys/transactions',
  'web/test/journeys/keys',
  'web/test/journeys/webhook-outage',
  'web/test/journeys/overview',
];

/** Sequencer that runs the long test files first, so that all workers finish at about the same time. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        projects.indexOf(one.project.name) - projects.indexOf(other.project.name) ||
        placeOf(one) - placeOf(other),
    );
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.indexOf(moduleId.replace(/^.*\/packages\//, '').replace(/\.test\.ts$/, ''));
  return place === -1 ? longest.length : place;
}
