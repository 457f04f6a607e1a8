import { requireStaff } from '../accounts/require-staff.ts';
import type { Service } from '../composition.ts';
import { sharedAnswer } from '../platform/http/answers/shared-answer.ts';
import type { App } from '../platform/http/app-type.ts';
import { auditRoutes } from './audit/routes.ts';
import { bountyAdminRoutes } from './bounties/routes.ts';
import { connectorAdminRoutes } from './connectors/routes.ts';
import { describeAdminApi } from './describe-admin-api.ts';
import { developerRoutes } from './developers/routes.ts';
import { firstStepRoutes } from './first-steps/routes.ts';
import { gateRoutes } from './gates/routes.ts';
import { holdRoutes } from './holds/routes.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { payeeRoutes } from './payees/routes.ts';
import { payoutAdminRoutes } from './payouts/routes.ts';
import { Exports } from './running-exports.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settingRoutes } from './settings/routes.ts';
import { sharesRoutes } from './shares/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/**
 * Registers the admin API, which serves the dashboard and clients that use operator tokens. Paths start with
 * `/admin/v1`. Each route's config names the permission that the route requires.
 */
export async function adminRoutes(app: App, service: Service): Promise<void> {
  requireStaff(app, { verifier: service.staff, now: () => service.clock.now() });
  await app.register(async (admin) => {
    await describeAdminApi(admin as unknown as App);
    await admin.register(async (scope) => registerRoutes(scope as unknown as App, service), {
      prefix: '/admin/v1',
    });
    admin.get(
      '/admin/openapi.json',
      { schema: { hide: true } },
      sharedAnswer({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }, () =>
        JSON.stringify(admin.swaggerOfAdmin()),
      ),
    );
    app.decorate('adminDocument', () => admin.swaggerOfAdmin());
  });
}

async function registerRoutes(app: App, service: Service): Promise<void> {
  signInRoutes(app, service.signIn);
  meRoutes(app, service.signIn);
  const pages = await service.openPages();
  const exports = new Exports();
  sharesRoutes(app, service, pages);
  transactionRoutes(app, service, { pages, exports });
  memberRoutes(app, service, { pages, exports, authCodeSecret: await service.openAuthCodeSecret() });
  bountyAdminRoutes(app, service, pages);
  payoutAdminRoutes(app, service, { pages, exports });
  payeeRoutes(app, service, { pages, exports });
  holdRoutes(app, service, { pages, exports });
  gateRoutes(app, service, { pages });
  ledgerRoutes(app, service, { pages });
  webhookRoutes(app, service, { pages, exports });
  connectorAdminRoutes(app, service, { pages });
  developerRoutes(app, service, pages);
  auditRoutes(app, service, { pages, exports });
  teamRoutes(app, service);
  settingRoutes(app, service);
  overviewRoutes(app, service);
  notificationRoutes(app, service);
  firstStepRoutes(app, service);
  searchRoutes(app, service);
  viewRoutes(app, service);
  sandboxRoutes(app, service);
}
