import { type MemberToCopy, readMembersToCopy } from '../../members/copy/read-members-to-copy.ts';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  readBountyList,
  readGroupSettings,
  readScheduleList,
  readSkuShares,
  readTiers,
} from '../export/read-program.ts';
import type { ProgramGroup } from '../program-schema.ts';

export interface ProgramToCopy {
  /** Groups without their members. */
  groups: ProgramGroup[];
  members: MemberToCopy[];
  /** Descriptions of the entries that were left out because a program file can't express them. */
  leftOut: string[];
}

/** Maximum number of members, which are all in memory at once. */
const maxMembers = 50_000;

/** Reads a publisher's program in the form of a program file, and its members with their codes, from one snapshot. */
export const readProgramToCopy = (db: Db, publisherId: string): Promise<ProgramToCopy> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const groups: ProgramGroup[] = [];
      const leftOut: string[] = [];
      for (const { groupId, settings } of await readGroupSettings(tx, publisherId)) {
        const group = { publisherId, groupId };
        const schedules = await readScheduleList(tx, group);
        const bounties = await readBountyList(tx, group);
        leftOut.push(...schedules.inexpressible, ...bounties.inexpressible);
        const copied = {
          ...settings,
          tiers: await readTiers(tx, group),
          skuRevShares: await readSkuShares(tx, group),
          schedules: schedules.entries,
          bounties: bounties.entries,
        };
        groups.push(copied as unknown as ProgramGroup); // the values have the form of a program file
      }
      const members: MemberToCopy[] = [];
      for await (const page of readMembersToCopy(tx, publisherId)) {
        members.push(...page);
        if (members.length > maxMembers)
          throw new Refusal('Conflict', `A program with more than ${maxMembers} members can't be copied.`);
      }
      return { groups, members, leftOut };
    });
