import { invite } from '../../accounts/people/invite.ts';
import { invitationUrl } from '../../accounts/people/links.ts';
import { listStaff } from '../../accounts/people/list-staff.ts';
import { serviceActor } from '../../audit/actor.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { unavailability } from '../../platform/database/database-errors.ts';
import { builtPages, isBuilt } from '../../platform/http/pages/dashboard-pages.ts';

const owner = 'owner@example.com';

/**
 * Where the demo's dashboard is entered: with an invitation, until somebody has accepted one, and then as whom.
 * @param origin with a name, because browsers keep passkeys for names alone
 */
export async function dashboardLink(db: Db, publisherId: string, origin: string): Promise<string> {
  const staff = await listStaff(db, publisherId);
  if (staff.length > 0)
    return `${origin}/sign-in${staff.some(({ email }) => email === owner) ? `  (you are ${owner})` : ''}`;
  const invited = { publisherId, email: owner, role: 'owner' } as const;
  try {
    const { token } = await invite(db, serviceActor, invited, systemClock.now());
    return invitationUrl(origin, token);
  } catch (error) {
    // A disk that is full is no reason not to start.
    if (unavailability(error) === null) throw error;
    return `${origin}/sign-in  (the database takes no invitation now; the next start makes one)`;
  }
}

/** What a start says of the dashboard: where it is, or what makes it. */
export const dashboardLine = (link: string, folder: string = builtPages): string =>
  isBuilt(folder)
    ? `Dashboard: ${link}`
    : `Dashboard: not built yet. Type \`npm run build:web\`, then open ${link}`;
