import { invite } from '../../accounts/people/invite.ts';
import { invitationUrl } from '../../accounts/people/links.ts';
import { listStaff } from '../../accounts/people/list-staff.ts';
import { serviceActor } from '../../audit/actor.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { unavailability } from '../../platform/database/database-errors.ts';
import { builtPages, isBuilt } from '../../platform/http/pages/serve-page.ts';

const owner = 'owner@example.com';

/**
 * Returns the link to the demo's dashboard: an invitation link until an invitation is accepted, and then the
 * sign-in page with the owner's address.
 * @param origin must contain a host name, because browsers don't support passkeys for IP addresses
 */
export async function dashboardLink(db: Db, publisherId: string, origin: string): Promise<string> {
  const staff = await listStaff(db, publisherId);
  if (staff.length > 0)
    return `${origin}/sign-in${staff.some(({ email }) => email === owner) ? `  (sign in as ${owner})` : ''}`;
  const invited = { publisherId, email: owner, role: 'owner' } as const;
  try {
    const { token } = await invite(db, serviceActor, invited, systemClock.now());
    return invitationUrl(origin, token);
  } catch (error) {
    // A full disk must not prevent the service from starting.
    if (unavailability(error) === null) throw error;
    return `${origin}/sign-in  (the database is read-only, so the next start will create the invitation)`;
  }
}

/** Returns the startup line about the dashboard: its link, or instructions to build it. */
export const dashboardLine = (link: string, folder: string = builtPages): string =>
  isBuilt(folder)
    ? `Dashboard: ${link}`
    : `Dashboard: not built yet. Run \`npm run build:web\`, then open ${link}`;
