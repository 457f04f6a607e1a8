import type { App } from '../platform/http/app-type.ts';
import { type AuthCodeDeps, getAuthCodeRoute } from './auth-code-route.ts';
import { type LinkDeps, linkMemberRoute } from './link-route.ts';

export type LinkingDeps = AuthCodeDeps & LinkDeps;

/** Registers operation 13 of the contract (linking), and the route for auth codes. */
export function linkingRoutes(app: App, deps: LinkingDeps): void {
  getAuthCodeRoute(app, deps);
  linkMemberRoute(app, deps);
}
