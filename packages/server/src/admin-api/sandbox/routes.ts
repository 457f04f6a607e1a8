import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { clockRoute } from './clock-route.ts';
import { closeRoute } from './close-route.ts';
import { copyRoute } from './copy-route.ts';
import { copyTurns } from './copy-turns.ts';
import { demoRoute } from './demo-route.ts';
import { purchaseRoute } from './purchase-route.ts';
import { rehearsalRoutes } from './rehearsal-routes.ts';
import { showRoute } from './show-route.ts';

export function sandboxRoutes(app: App, service: Service): void {
  const turns = copyTurns();
  showRoute(app, service);
  copyRoute(app, service, turns);
  demoRoute(app, service, turns);
  closeRoute(app, service);
  clockRoute(app, service);
  purchaseRoute(app, service);
  rehearsalRoutes(app, service);
}
