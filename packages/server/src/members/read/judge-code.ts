import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';

/** A member that has the code that is asked about, in some group of the publisher. */
export interface CodeHolder {
  memberId: AccountId;
  name: string;
  groupId: string;
  groupName: string;
  /** `group`: good in this group alone; `global`: in every group of its creator. */
  scope: 'group' | 'global';
  /** In the member's own spelling. */
  code: string;
  isCodeApproved: boolean;
  status: MemberStatus;
  removedAt: Date | null;
  removalReason: string | null;
}

/** What recording asks of a code, in its order. */
export const codeChecks = ['shape', 'exists', 'group', 'code', 'member'] as const;

export type CodeCheck = (typeof codeChecks)[number];

/** What one of them says; those after one that failed are not asked. */
export interface CheckVerdict {
  check: CodeCheck;
  verdict: 'passed' | 'failed' | 'not asked';
  /** A sentence; empty where it was not asked. */
  says: string;
}

export interface CodeVerdict {
  /** Whom a purchase with the code credits in the group; null when a create with it is refused. */
  credited: CodeHolder | null;
  /** Who the code is about all the same: the member that would be credited, or the nearest. */
  holder: CodeHolder | null;
  checks: CheckVerdict[];
}

interface AskedCode {
  /** As it was typed. */
  code: string;
  group: { groupId: string; name: string };
  /** Everybody at the publisher who has it, in any group. */
  holders: readonly CodeHolder[];
}

const codeShape = /^[A-Za-z0-9_-]{2,32}$/;

export const isCode = (text: string): boolean => codeShape.test(text);

/** Says for a code what each check of recording says (`resolveCodes` decides the same, for all codes at once). */
export function judgeCode({ code, group, holders }: AskedCode): CodeVerdict {
  const checks: CheckVerdict[] = [];
  const say = (check: CodeCheck, isPassed: boolean, says: string): boolean => {
    checks.push({ check, verdict: isPassed ? 'passed' : 'failed', says });
    return isPassed;
  };
  const here = holders.filter(({ groupId }) => groupId === group.groupId);
  const own = here.find(({ scope }) => scope === 'group');
  const global = here.find(({ scope }) => scope === 'global');
  // The group's own code wins, unless it credits nobody and a global one of the same text is there.
  const usable = [own, global].find((each) => each?.isCodeApproved === true);
  const holder = usable ?? own ?? global ?? holders[0] ?? null;
  const credited =
    say('shape', isCode(code), shapeSays(code)) &&
    say('exists', holder !== null, existsSays(code, holder)) &&
    holder !== null &&
    say('group', here.includes(holder), groupSays(holder, group, holders)) &&
    say('code', holder.isCodeApproved, approvedSays(holder)) &&
    say('member', holder.status === 'Approved', memberSays(holder));
  const asked = new Set(checks.map(({ check }) => check));
  for (const check of codeChecks)
    if (!asked.has(check)) checks.push({ check, verdict: 'not asked', says: '' });
  return { credited: credited ? holder : null, holder, checks };
}

const shapeSays = (code: string): string =>
  isCode(code)
    ? 'It is spelled as codes are; upper and lower case are the same.'
    : 'Codes have 2 to 32 letters, digits, _ and -; this is spelled otherwise, so no creator can have it.';

const existsSays = (code: string, holder: CodeHolder | null): string =>
  holder === null
    ? `None of your creators has the code ${code}. It may be mistyped, or its creator has not joined.`
    : `${holder.code} is a code of ${holder.name}.`;

function groupSays(
  holder: CodeHolder,
  { groupId, name }: AskedCode['group'],
  holders: readonly CodeHolder[],
): string {
  if (holder.groupId === groupId)
    return holder.scope === 'group'
      ? `It is the own code of the group ${name}, where it wins over a global one.`
      : `It is a global code, and ${holder.name} is a member of the group ${name}.`;
  const groups = [...new Set(holders.map((each) => each.groupName))].join(', ');
  return holder.scope === 'group'
    ? `It is the own code of ${groups} and credits there alone; the purchase was sent for ${name}.`
    : `It is a global code of ${holder.name}, who is a member of ${groups}, but not of ${name}.`;
}

const approvedSays = ({ isCodeApproved }: CodeHolder): string =>
  isCodeApproved ? 'The code is approved.' : 'The code itself is not approved, so it credits nobody.';

function memberSays({ name, status, removedAt, removalReason }: CodeHolder): string {
  switch (status) {
    case 'Approved':
      return `${name} is Approved.`;
    case 'Pending':
      return `${name} is Pending: approve the creator, and the code credits from then on.`;
    case 'Removed': {
      const since = removedAt === null ? '' : ` since ${removedAt.toISOString().slice(0, 10)}`;
      return `${name} is Removed${since}${removalReason === null ? '' : ` (${removalReason})`}: what was earned before is kept.`;
    }
  }
}
