import type { App } from '../platform/http/app-type.ts';
import { generateMemberRoute } from './routes/generate-route.ts';
import { listMembersRoute } from './routes/list-route.ts';
import {
  getMemberByCodeRoute,
  getMemberByIdRoute,
  getMemberByPlayerRoute,
  type LookUpDeps,
} from './routes/look-up-routes.ts';

/** Registers operations 10 to 12 of the contract, and member generation. */
export function memberRoutes(app: App, deps: LookUpDeps): void {
  listMembersRoute(app, deps);
  getMemberByCodeRoute(app, deps);
  getMemberByIdRoute(app, deps);
  getMemberByPlayerRoute(app, deps);
  generateMemberRoute(app, deps);
}
