import type { LookUpMisses } from '../api-keys/look-up-misses.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import type { Programs } from '../publishers/programs.ts';
import { completeRewardRoute } from './complete/complete-reward-route.ts';
import { recordEventRoute } from './count/record-event-route.ts';
import { getBountyRoute } from './read/get-bounty-route.ts';
import { getMemberProgressRoute } from './read/get-member-progress-route.ts';
import { listBountiesRoute } from './read/list-bounties-route.ts';

export interface BountyDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
  misses: LookUpMisses;
}

/** Registers operation 14 of the contract, and the routes for bounties, progress and custom events. */
export function bountyRoutes(app: App, { db, clock, programs, misses }: BountyDeps): void {
  listBountiesRoute(app, { db });
  getBountyRoute(app, { db, misses });
  getMemberProgressRoute(app, { db, misses });
  completeRewardRoute(app, { db });
  recordEventRoute(app, { db, clock, programs });
}
