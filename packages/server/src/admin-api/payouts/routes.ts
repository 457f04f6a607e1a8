import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { Exports } from '../running-exports.ts';
import { balanceRoutes } from './balance-routes.ts';
import { clawbackRoutes } from './clawback-routes.ts';
import { exportListRoutes } from './export-list-routes.ts';
import { exportRoute } from './export-routes.ts';
import { manyPayoutsRoutes } from './many-routes.ts';
import { monthReconciliationRoute } from './month-reconciliation-route.ts';
import { monthRoutes } from './month-routes.ts';
import { payRunPreviewRoute } from './pay-run-preview-route.ts';
import { payRunRoutes } from './pay-run-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { previewReader } from './preview-reader.ts';
import { previewRoute } from './preview-route.ts';
import { reductionRoutes } from './reduction-routes.ts';
import { resultRoutes } from './result-routes.ts';
import { waitingRoute } from './waiting-route.ts';
import { withoutFileRoute } from './without-file-route.ts';
import { yearRoute } from './year-route.ts';

export function payoutAdminRoutes(
  app: App,
  service: Service,
  shared: { pages: Pages; exports: Exports },
): void {
  const previewing = { ...shared, preview: previewReader(service.database) };
  previewRoute(app, service, previewing);
  waitingRoute(app, service);
  payRunPreviewRoute(app, service, previewing);
  payRunRoutes(app, service, shared);
  payoutRoutes(app, service, shared);
  withoutFileRoute(app, service);
  resultRoutes(app, service);
  reductionRoutes(app, service, shared);
  exportRoute(app, service, shared.exports);
  manyPayoutsRoutes(app, service, shared.exports);
  monthRoutes(app, service, shared.exports);
  monthReconciliationRoute(app, service);
  yearRoute(app, service, shared.exports);
  balanceRoutes(app, service, shared);
  clawbackRoutes(app, service, shared);
  exportListRoutes(app, service, shared);
}
