import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { brandingRoutes } from './branding-routes.ts';
import { programFileRoutes } from './program-file-routes.ts';
import { settingsRoutes } from './settings-routes.ts';

export function settingRoutes(app: App, service: Service): void {
  settingsRoutes(app, service);
  brandingRoutes(app, service);
  programFileRoutes(app, service);
}
