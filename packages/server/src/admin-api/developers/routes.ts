import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { AdminService } from '../admin-service.ts';
import { keyRoutes } from './key-routes.ts';
import { requestRoutes } from './request-routes.ts';

/** What whoever connects a game needs: keys, and why requests are refused. */
export function developerRoutes(app: App, service: AdminService, pages: Pages): void {
  keyRoutes(app, service, pages);
  requestRoutes(app, service, pages);
}
