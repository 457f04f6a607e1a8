import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import { codeRoutes } from './code-routes.ts';
import { listMemberRoutes } from './list-routes.ts';

/** Creators: who is in the programme, who joins and leaves, their codes. */
export function memberRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listMemberRoutes(app, service, pages);
  codeRoutes(app, service);
}
