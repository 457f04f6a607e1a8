import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { connectorRoutes } from './connector-routes.ts';
import { eventRoutes } from './event-routes.ts';

export function connectorAdminRoutes(app: App, service: Service, shared: { pages: Pages }): void {
  connectorRoutes(app, service);
  eventRoutes(app, service, shared.pages);
}
