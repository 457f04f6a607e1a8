import type { App } from '../platform/http/app-type.ts';
import {
  createScheduleRoute,
  deleteScheduleRoute,
  listSchedulesRoute,
  replaceScheduleRoute,
  type ScheduleDeps,
} from './schedules/schedule-routes.ts';
import { getTierRoute, listTiersRoute } from './tiers/tier-routes.ts';

export function revenueShareRoutes(app: App, deps: ScheduleDeps): void {
  listTiersRoute(app, deps);
  getTierRoute(app, deps);
  createScheduleRoute(app, deps);
  replaceScheduleRoute(app, deps);
  listSchedulesRoute(app, deps);
  deleteScheduleRoute(app, deps);
}
