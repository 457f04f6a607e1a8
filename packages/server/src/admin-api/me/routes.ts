import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { meRoute } from './me-route.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { twoFactorRoutes } from './two-factor-routes.ts';

export function meRoutes(app: App, signIn: SignIn): void {
  meRoute(app, signIn.db);
  confirmRoutes(app, signIn);
  twoFactorRoutes(app, signIn);
  passkeyRoutes(app, signIn);
  sessionRoutes(app, signIn);
}
