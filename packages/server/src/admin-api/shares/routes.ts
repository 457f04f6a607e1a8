import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { applicationRoutes } from './application-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { simulationRoutes } from './simulation-routes.ts';
import { skuShareRoutes } from './sku-share-routes.ts';
import { tierRoutes } from './tier-routes.ts';

export function sharesRoutes(app: App, service: Service, pages: Pages): void {
  const { db } = service.database;
  groupRoutes(app, service);
  applicationRoutes(app, service);
  tierRoutes(app, { db, pages });
  skuShareRoutes(app, { db, pages });
  scheduleRoutes(app, service, pages);
  simulationRoutes(app, service);
}
