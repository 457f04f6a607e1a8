import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { keyRoutes } from './key-routes.ts';
import { requestRoutes } from './request-routes.ts';

export function developerRoutes(app: App, service: Service, pages: Pages): void {
  keyRoutes(app, service, pages);
  requestRoutes(app, service, pages);
}
