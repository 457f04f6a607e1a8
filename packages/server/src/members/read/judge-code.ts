import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';

/** Member with the checked code, in any group of the publisher. */
export interface CodeHolder {
  memberId: AccountId;
  name: string;
  groupId: string;
  groupName: string;
  /** `group`: valid in this group only; `global`: valid in every group of its creator. */
  scope: 'group' | 'global';
  /** Code in the member's spelling. */
  code: string;
  isCodeApproved: boolean;
  status: MemberStatus;
  removedAt: Date | null;
  removalReason: string | null;
}

/** Checks that recording performs on a code, in order. */
export const codeChecks = ['shape', 'exists', 'group', 'code', 'member'] as const;

export type CodeCheck = (typeof codeChecks)[number];

/** Result of one check. Checks after a failed check are skipped. */
export interface CheckVerdict {
  check: CodeCheck;
  verdict: 'passed' | 'failed' | 'not asked';
  /** Explanation in one sentence; empty for a skipped check. */
  says: string;
}

export interface CodeVerdict {
  /** Member that a purchase with the code credits in the group; null if the purchase is rejected. */
  credited: CodeHolder | null;
  /** Credited member or, if there is none, the member that best matches the code. */
  holder: CodeHolder | null;
  checks: CheckVerdict[];
}

interface CodeToJudge {
  /** Code as typed. */
  code: string;
  group: { groupId: string; name: string };
  /** All of the publisher's members with the code in any group. */
  holders: readonly CodeHolder[];
}

const codeShape = /^[A-Za-z0-9_-]{2,32}$/;

export const isCode = (text: string): boolean => codeShape.test(text);

/**
 * Performs recording's checks on one code and explains each check. `resolveCodes` makes the same decision for
 * many codes.
 */
export function judgeCode({ code, group, holders }: CodeToJudge): CodeVerdict {
  const checks: CheckVerdict[] = [];
  const add = (check: CodeCheck, isPassed: boolean, says: string): boolean => {
    checks.push({ check, verdict: isPassed ? 'passed' : 'failed', says });
    return isPassed;
  };
  const here = holders.filter(({ groupId }) => groupId === group.groupId);
  const own = here.find(({ scope }) => scope === 'group');
  const global = here.find(({ scope }) => scope === 'global');
  // An approved group code takes precedence over a global code with the same text.
  const usable = [own, global].find((each) => each?.isCodeApproved === true);
  const holder = usable ?? own ?? global ?? holders[0] ?? null;
  const credited =
    add('shape', isCode(code), explainShape(code)) &&
    add('exists', holder !== null, explainExistence(code, holder)) &&
    holder !== null &&
    add('group', here.includes(holder), explainGroup(holder, group, holders)) &&
    add('code', holder.isCodeApproved, explainApproval(holder)) &&
    add('member', holder.status === 'Approved', explainStatus(holder));
  const made = new Set(checks.map(({ check }) => check));
  for (const check of codeChecks)
    if (!made.has(check)) checks.push({ check, verdict: 'not asked', says: '' });
  return { credited: credited ? holder : null, holder, checks };
}

const explainShape = (code: string): string =>
  isCode(code)
    ? "The spelling is valid. Codes aren't case-sensitive."
    : 'Codes have 2 to 32 letters, digits, _ and -, so no creator can have this code.';

const explainExistence = (code: string, holder: CodeHolder | null): string =>
  holder === null
    ? `None of your creators has the code ${code}. It may be mistyped, or its creator may not have joined.`
    : `${holder.code} is a code of ${holder.name}.`;

function explainGroup(
  holder: CodeHolder,
  { groupId, name }: CodeToJudge['group'],
  holders: readonly CodeHolder[],
): string {
  if (holder.groupId === groupId)
    return holder.scope === 'group'
      ? `It is a group code of ${name}, where it takes precedence over a global code.`
      : `It is a global code, and ${holder.name} is a member of ${name}.`;
  const groups = [...new Set(holders.map((each) => each.groupName))].join(', ');
  return holder.scope === 'group'
    ? `It is a group code of ${groups} and is valid only there, but the purchase was sent for ${name}.`
    : `It is a global code of ${holder.name}, who is a member of ${groups}, but not of ${name}.`;
}

const explainApproval = ({ isCodeApproved }: CodeHolder): string =>
  isCodeApproved ? 'The code is approved.' : "The code itself isn't approved, so it credits no creator.";

function explainStatus({ name, status, removedAt, removalReason }: CodeHolder): string {
  switch (status) {
    case 'Approved':
      return `${name} is Approved.`;
    case 'Pending':
      return `${name} is Pending. Approve the creator to credit new purchases with the code.`;
    case 'Removed': {
      const since = removedAt === null ? '' : ` since ${removedAt.toISOString().slice(0, 10)}`;
      return `${name} is Removed${since}${removalReason === null ? '' : ` (${removalReason})`}. Earlier earnings aren't affected.`;
    }
  }
}
