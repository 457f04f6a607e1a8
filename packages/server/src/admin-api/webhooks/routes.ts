import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { secretRoutes } from './secret-routes.ts';

export function webhookRoutes(app: App, service: Service, pages: Pages): void {
  endpointRoutes(app, service);
  secretRoutes(app, service);
  deliveryRoutes(app, service, pages);
}
