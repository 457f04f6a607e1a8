import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { Exports } from '../running-exports.ts';
import { paymentFileRoutes } from './file-routes.ts';
import { methodRoutes } from './method-routes.ts';
import { payeeSettingRoutes } from './settings-routes.ts';

export function payeeRoutes(
  app: App,
  service: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  methodRoutes(app, service, { pages });
  payeeSettingRoutes(app, service);
  paymentFileRoutes(app, service, exports);
}
