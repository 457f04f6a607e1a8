import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit, versionOf } from '../../platform/version.ts';
import { changingProgram } from '../changing-program.ts';
import { findGroup } from '../find-group.ts';
import { putGroup } from '../put-group.ts';
import type { ApplicationsInput } from './applications-input.ts';
import { type GroupApplications, noApplications, readApplications } from './read-applications.ts';

/** Settings with the version to send when editing them. */
export interface VersionedApplications extends GroupApplications {
  version: string;
}

/** Reads a group's settings for applications. @throws Refusal NotFound for an unknown group */
export async function readGroupApplications(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
): Promise<VersionedApplications> {
  await findGroup(db, publisherId, groupId);
  const found = await readApplications(db, publisherId, groupId);
  return withVersion(found.get(groupId) ?? noApplications);
}

const withVersion = (settings: GroupApplications): VersionedApplications => {
  const { isOpen, maxPending, reservedCodes, terms } = settings;
  return { ...settings, version: versionOf([isOpen, maxPending, reservedCodes, terms?.version ?? null]) };
};

interface ApplicationsChange {
  publisherId: string;
  groupId: string;
  /** Version that the edit is based on. */
  version: string;
  settings: ApplicationsInput;
}

/**
 * Changes a group's settings for applications.
 * @throws Refusal NotFound; Stale; InvalidInput for an open group without terms
 */
export function changeApplications(
  db: Db,
  actor: Actor,
  { publisherId, groupId, version, settings }: ApplicationsChange,
): Promise<void> {
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      await findGroup(tx, publisherId, groupId);
      const found = await readApplications(tx, publisherId, groupId);
      const current = withVersion(found.get(groupId) ?? noApplications);
      refuseStaleEdit(`The list of settings for applications to ${groupId}`, version, current.version);
      await putGroup(tx, actor, { publisherId, id: groupId, applications: settings });
    }),
  );
}
