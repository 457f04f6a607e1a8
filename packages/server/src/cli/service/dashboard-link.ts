import { invite } from '../../accounts/people/invite.ts';
import { invitationUrl } from '../../accounts/people/links.ts';
import { listStaff } from '../../accounts/people/list-staff.ts';
import { serviceActor } from '../../audit/actor.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';

/**
 * Where the demo's dashboard is entered: with an invitation, until somebody has accepted one.
 * @param origin with a name, because browsers keep passkeys for names alone
 */
export async function dashboardLink(db: Db, publisherId: string, origin: string): Promise<string> {
  if ((await listStaff(db, publisherId)).length > 0) return `${origin}/sign-in`;
  const invited = { publisherId, email: 'owner@example.com', role: 'owner' } as const;
  const { token } = await invite(db, serviceActor, invited, systemClock.now());
  return invitationUrl(origin, token);
}
