import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { AdminService } from '../admin-service.ts';
import { keyRoutes } from './key-routes.ts';
import { requestRoutes } from './request-routes.ts';

/** Registers the routes that developers need to connect a game: API keys and refused requests. */
export function developerRoutes(app: App, service: AdminService, pages: Pages): void {
  keyRoutes(app, service, pages);
  requestRoutes(app, service, pages);
}
