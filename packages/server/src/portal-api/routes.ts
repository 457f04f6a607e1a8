import type { Service } from '../composition.ts';
import { sharedAnswer } from '../platform/http/answers/shared-answer.ts';
import type { App } from '../platform/http/app-type.ts';
import { requirePortal } from '../portal/require-portal.ts';
import { accountRoutes } from './account-routes.ts';
import { applyRoutes } from './apply-routes.ts';
import { bountyRoutes } from './bounty-routes.ts';
import { claimRoutes } from './claim-routes.ts';
import { describePortalApi } from './describe-portal-api.ts';
import { earningsRoutes } from './earnings-routes.ts';
import { emailRoutes } from './email-routes.ts';
import { holdPeriodRoutes } from './hold-period-routes.ts';
import { homeRoutes } from './home-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { methodRoutes } from './method-routes.ts';
import { namedAccountRoutes } from './named-account-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { ratesRoutes } from './rates-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInMethodRoutes } from './sign-in-method-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { streamAlertRoutes } from './stream-alert-routes.ts';
import { takeBackRoutes } from './take-back-routes.ts';
import { unsubscribeRoutes } from './unsubscribe-routes.ts';
import { yourDataRoutes } from './your-data-routes.ts';

/** Registers the API of the creators' portal. Paths start with `/portal/v1`. While the portal is off, they return 404. */
export async function portalRoutes(app: App, service: Service): Promise<void> {
  const { portal } = service;
  const pages = await service.openPages();
  const authCodeSecret = await service.openAuthCodeSecret();
  // Before the server closes, which waits for all requests.
  app.addHook('preClose', async () => portal.overlays.stop());
  await app.register(async (scope) => {
    await describePortalApi(scope as unknown as App);
    await scope.register(
      async (inner) => {
        const routes = inner as unknown as App;
        requirePortal(routes, portal);
        signInRoutes(routes, portal);
        providerRoutes(routes, portal);
        passkeyRoutes(routes, portal);
        signInMethodRoutes(routes, portal);
        invitationRoutes(routes, portal);
        sessionRoutes(routes, portal);
        emailRoutes(routes, portal);
        accountRoutes(routes, portal);
        profileRoutes(routes, portal);
        claimRoutes(routes, portal, authCodeSecret);
        namedAccountRoutes(routes, portal);
        applyRoutes(routes, portal);
        homeRoutes(routes, portal);
        holdPeriodRoutes(routes, portal);
        earningsRoutes(routes, portal, pages);
        ratesRoutes(routes, portal);
        bountyRoutes(routes, portal, pages);
        payoutRoutes(routes, portal, pages);
        methodRoutes(routes, portal);
        takeBackRoutes(routes, portal);
        notificationRoutes(routes, portal);
        unsubscribeRoutes(routes, portal);
        statementRoutes(routes, service);
        streamAlertRoutes(routes, portal);
        yourDataRoutes(routes, portal, service.database);
      },
      { prefix: '/portal/v1' },
    );
    scope.get(
      '/portal/openapi.json',
      { schema: { hide: true } },
      sharedAnswer({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }, () =>
        JSON.stringify(scope.swaggerOfPortal()),
      ),
    );
    app.decorate('portalDocument', () => scope.swaggerOfPortal());
  });
}
