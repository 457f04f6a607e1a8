import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { teamInvitationRoutes } from './invitation-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { roleRoutes } from './role-routes.ts';
import { staffRulesRoutes } from './rules-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export function teamRoutes(app: App, service: Service): void {
  const { database, signIn, clock } = service;
  const { db } = database;
  roleRoutes(app);
  peopleRoutes(app, service);
  teamInvitationRoutes(app, signIn);
  tokenRoutes(app, db, clock);
  staffRulesRoutes(app, db);
}
