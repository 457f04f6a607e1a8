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
  /** Without their members. */
  groups: ProgramGroup[];
  members: MemberToCopy[];
  /** Names of what no program file can say, and so is not among it. */
  leftOut: string[];
}

/** All of them are in memory at once. */
const maxMembers = 50_000;

/** A publisher's program as program files say it, of one moment, and its members with their codes. */
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
        const said = {
          ...settings,
          tiers: await readTiers(tx, group),
          skuRevShares: await readSkuShares(tx, group),
          schedules: schedules.things,
          bounties: bounties.things,
        };
        groups.push(said as unknown as ProgramGroup); // what a file would be written of
      }
      const members: MemberToCopy[] = [];
      for await (const page of readMembersToCopy(tx, publisherId)) {
        members.push(...page);
        if (members.length > maxMembers)
          throw new Refusal('Conflict', `A program of more than ${maxMembers} members cannot be copied.`);
      }
      return { groups, members, leftOut };
    });
