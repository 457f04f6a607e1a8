import {
  type Application,
  mayApplyAgainAt,
  readApplicationsOf,
} from '../../members/applications/read-applications.ts';
import type { Db } from '../../platform/database/database.ts';
import { readOwnAccounts, readPublishersOf } from '../own-accounts.ts';

/** Latest application of a person to a group. */
export interface OwnApplication extends Application {
  publisherId: string;
  publisherName: string;
  /** Time from which the person can apply to the group again; null while they can't, and if they can at once. */
  againAt: Date | null;
}

/** Returns a person's latest application to each group of all publishers, the newest first. */
export async function listOwnApplications(db: Db, userId: string): Promise<OwnApplication[]> {
  const accountIds = (await readOwnAccounts(db, userId)).map(({ accountId }) => accountId);
  const publishers = [...(await readPublishersOf(db, accountIds)).values()].flat();
  const names = new Map(publishers.map(({ publisherId, name }) => [publisherId, name]));
  const found: OwnApplication[] = [];
  for (const [publisherId, publisherName] of names)
    for (const application of await readApplicationsOf(db, publisherId, accountIds))
      found.push({ ...application, publisherId, publisherName, againAt: againAt(application) });
  return found.sort((one, other) => other.appliedAt.getTime() - one.appliedAt.getTime());
}

const againAt = (application: Application): Date | null =>
  application.state === 'Refused' && application.decidedAt !== null
    ? mayApplyAgainAt([application.decidedAt], application)
    : null;
