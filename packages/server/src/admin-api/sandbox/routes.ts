import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { clockRoute } from './clock-route.ts';
import { copyRoute } from './copy-route.ts';
import { purchaseRoute } from './purchase-route.ts';
import { showRoute } from './show-route.ts';

export function sandboxRoutes(app: App, service: Service): void {
  showRoute(app, service);
  copyRoute(app, service);
  clockRoute(app, service);
  purchaseRoute(app, service);
}
