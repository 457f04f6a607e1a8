import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { channelRoutes } from './channel-routes.ts';
import { choiceRoutes } from './choice-routes.ts';
import { unsubscribeRoutes } from './unsubscribe-routes.ts';

export function notificationRoutes(app: App, service: Service): void {
  choiceRoutes(app, service);
  channelRoutes(app, service);
  unsubscribeRoutes(app, service);
}
