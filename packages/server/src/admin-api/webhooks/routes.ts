import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { Exports } from '../running-exports.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { exportRoute } from './export-route.ts';
import { secretRoutes } from './secret-routes.ts';

export function webhookRoutes(app: App, service: Service, shared: { pages: Pages; exports: Exports }): void {
  endpointRoutes(app, service);
  secretRoutes(app, service);
  deliveryRoutes(app, service, shared.pages);
  exportRoute(app, service, shared);
}
