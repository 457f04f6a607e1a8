import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Pages } from '../../platform/page.ts';
import type { Exports } from '../running-exports.ts';
import { applicationRoute } from './application-route.ts';
import { authCodeRoute } from './auth-code-route.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { codeRoutes } from './code-routes.ts';
import { exportRoute } from './export-route.ts';
import { importRoute } from './import-route.ts';
import { listCodesRoute } from './list-codes-route.ts';
import { listMemberRoutes } from './list-routes.ts';
import { lookUpRoute } from './look-up-route.ts';
import { oneMemberRoutes } from './member-routes.ts';
import { noteRoutes } from './note-routes.ts';
import { portalRoutes } from './portal-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { supporterRoutes } from './supporter-routes.ts';
import { tagRoutes } from './tag-routes.ts';

interface MemberDeps {
  pages: Pages;
  exports: Exports;
  /** Secret for hashing auth codes. */
  authCodeSecret: Buffer;
}

export function memberRoutes(
  app: App,
  service: Service,
  { pages, exports, authCodeSecret }: MemberDeps,
): void {
  listMemberRoutes(app, service, pages);
  exportRoute(app, service, { pages, exports });
  listCodesRoute(app, service, pages);
  oneMemberRoutes(app, service);
  applicationRoute(app, service);
  authCodeRoute(app, service, authCodeSecret);
  codeRoutes(app, service);
  bulkRoutes(app, service);
  noteRoutes(app, service, pages);
  tagRoutes(app, service);
  importRoute(app, service);
  lookUpRoute(app, service);
  portalRoutes(app, service);
  statementRoutes(app, service, exports);
  supporterRoutes(app, service);
}
