import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { Exports } from '../running-exports.ts';
import { balanceRoutes } from './balance-routes.ts';
import { clawbackRoutes } from './clawback-routes.ts';
import { exportRoute } from './export-routes.ts';
import { monthRoutes } from './month-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { previewRoute } from './preview-route.ts';

export function payoutAdminRoutes(
  app: App,
  service: Service,
  shared: { pages: Pages; exports: Exports },
): void {
  previewRoute(app, service, shared);
  payoutRoutes(app, service, shared);
  exportRoute(app, service, shared.exports);
  monthRoutes(app, service, shared.exports);
  balanceRoutes(app, service, shared);
  clawbackRoutes(app, service, shared);
}
