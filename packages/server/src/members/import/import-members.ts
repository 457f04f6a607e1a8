import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { toAccountId } from '../../platform/ids.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { readTierNames } from '../../publishers/tier-names.ts';
import { newMemberId } from '../change/create-member.ts';
import { eachOnItsOwn, type Outcome } from '../change/each-on-its-own.ts';
import type { MemberInput } from '../put/member-input.ts';
import { type MemberOutcome, putMember } from '../put/put-member.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { putTag } from '../tags/put-tag.ts';
import { findShadows, ownCodes, type Shadow } from './find-shadows.ts';
import { keepScopes } from './keep-scopes.ts';
import { onlyChanges, readKnown, withDisplayName } from './known-member.ts';
import { problemsOfLine } from './line-problems.ts';
import { matchTier } from './match-tier.ts';
import { type MemberLine, noName, parseMembers, wrongStatus } from './parse-members.ts';

export interface MembersToImport {
  publisherId: string;
  groupId: string;
  /** CSV file with the column names (`importColumns`) on the first line. */
  csv: string;
  /** Scope of codes that the creator doesn't have yet. */
  codeScope: 'group' | 'global';
  /** True to also save lines that take over a code. By default, they are rejected. */
  takeOver?: boolean | undefined;
  /** True to return the verdict on each line without changing anything. */
  isRehearsal: boolean;
  /** First line of this part: the `nextLine` of the previous part, or absent for the start of the file. */
  fromLine?: number | undefined;
}

export interface ImportedPart {
  lines: LineVerdict[];
  /** Number of lines in the whole file, not counting the first line or empty lines. */
  lineCount: number;
  /** First line of the next part; null after the last part. */
  nextLine: number | null;
}

/**
 * Number of lines per part. A part takes only a few seconds, so that the screen can show progress and proxies don't
 * time out.
 */
const linesOfPart = 250;

export const lineVerdicts = ['new', 'changed', 'as before', 'takes over', 'refused'] as const;

/** Outcome of one line; in a rehearsal, its expected outcome. */
export interface LineVerdict {
  line: number;
  /**
   * `takes over`: purchases with one of the line's codes would credit this creator instead of another one. The line is
   * saved only with `takeOver`.
   */
  verdict: (typeof lineVerdicts)[number];
  /** Name in the line; null if there is none. */
  name: string | null;
  memberId: string | null;
  codes: string[];
  /** Reasons for rejecting the line, one sentence each. */
  problems: string[];
  /** Effects on other members' codes, one sentence each. Warnings don't prevent saving. */
  warnings: string[];
}

/**
 * Creates and changes a group's members from one part of a CSV file. Each line has its own outcome: rejected lines are
 * skipped, and all others are saved. A line with a known id changes that member, except for empty cells. The creator's
 * existing codes keep their scope, so an exported file changes nothing. A rehearsal makes the same changes and rolls them
 * back.
 * @throws Refusal InvalidInput for an unreadable file; NotFound for an unknown group
 */
export async function importMembers(
  db: Db,
  actor: Actor,
  { publisherId, groupId, csv, codeScope, takeOver = false, isRehearsal, fromLine = 0 }: MembersToImport,
): Promise<ImportedPart> {
  const group = await readGroup(db, publisherId, groupId);
  const all = parseMembers({ csv, groupId, codeScope });
  const rest = all.filter(({ line }) => line >= fromLine);
  const part = rest.slice(0, linesOfPart);
  for (const line of part) {
    matchTier(line, group.tierNames, group.name);
    line.problems.push(...problemsOfLine(asMember(line.input)));
  }
  const knownById = await readKnown(db, { publisherId, groupId }, part);
  for (const { input, problems } of part) {
    const known = knownById.get(input.id ?? '');
    if (known === undefined && input.name === undefined && problems.length === 0) problems.push(noName);
    if (input.status === 'Removed' && known?.status !== 'Removed') problems.push(wrongStatus('Removed'));
  }
  await keepScopes(db, { publisherId, groupId }, { lines: part, codeScope });
  const codes = part.flatMap((line) => codesOf(line, codeScope));
  const shadows = await findShadows(db, publisherId, codeScope, codes);
  const taken =
    codeScope === 'group' ? await takenOver(db, { publisherId, groupId }, { part, shadows }) : noneTaken;
  if (!isRehearsal && !takeOver)
    for (const line of part)
      if (taken.has(line)) line.problems.push(...(taken.get(line) ?? []), allowTakeOver);
  const good = part.filter(({ problems }) => problems.length === 0);
  const outcomes = await eachOnItsOwn(
    db,
    { publisherId, entries: good, isRehearsal },
    async (tx, { input, tags }) => {
      const known = knownById.get(input.id ?? '');
      const member = {
        publisherId,
        groupId,
        ...asMember(known === undefined ? input : onlyChanges(input, known)),
      };
      if (member.playerMetadata !== undefined)
        member.playerMetadata = await withDisplayName(tx, member, member.playerMetadata);
      const put = await putMember(tx, actor, member);
      if (put.isClaimed) return put;
      let isChanged = put.isChanged;
      for (const tag of tags) {
        const place = { publisherId, accountId: toAccountId(member.id), tag, isTagged: true };
        if (await putTag(tx, actor, place)) isChanged = true;
      }
      return { ...put, isChanged };
    },
  );
  const outcomeOf = new Map(outcomes.map((outcome, index) => [good[index], outcome]));
  return {
    lines: part.map((line) => {
      const verdict = verdictOf(line, outcomeOf.get(line));
      if (verdict.verdict === 'refused') return verdict;
      const takes = taken.get(line);
      if (takes !== undefined) return { ...verdict, verdict: 'takes over', warnings: takes };
      const codesOfLine = codesOf(line, codeScope);
      return { ...verdict, warnings: warningsOf({ ...verdict, codes: codesOfLine }, shadows, codeScope) };
    }),
    lineCount: all.length,
    nextLine: rest[linesOfPart]?.line ?? null,
  };
}

async function readGroup(db: Db, publisherId: string, requestedId: string) {
  const groupId = await findGroup(db, publisherId, requestedId);
  const { name } = await db
    .selectFrom('creator_group')
    .select('name')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return { name, tierNames: await readTierNames(db, publisherId, groupId) };
}

const asMember = ({ id, ...input }: MemberLine['input']): MemberInput => ({
  ...input,
  id: id ?? newMemberId(),
});

const problemsOf = (refusal: Refusal): string[] =>
  [refusal, ...refusal.others].map(({ message }) => sentence(message));

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

function verdictOf(
  { line, input, problems }: MemberLine,
  outcome: Outcome<MemberOutcome> | undefined,
): LineVerdict {
  const shown = {
    line,
    name: input.name ?? null,
    memberId: input.id ?? null,
    codes: (input.codes ?? []).map(({ code }) => code),
    warnings: [],
  };
  if (outcome === undefined) return { ...shown, verdict: 'refused', problems };
  if ('refused' in outcome) return { ...shown, verdict: 'refused', problems: problemsOf(outcome.refused) };
  const { isNew, isChanged, isClaimed } = outcome.done;
  if (isClaimed)
    return {
      ...shown,
      verdict: 'refused',
      problems: ["A creator has claimed this account, so it is now part of the creator's own account."],
    };
  return { ...shown, verdict: isNew ? 'new' : isChanged ? 'changed' : 'as before', problems: [] };
}

const allowTakeOver = 'To save it, allow lines that take over a code.';
const noneTaken: ReadonlyMap<MemberLine, string[]> = new Map();

/** Returns the codes of a line that are put in the import's scope. */
const codesOf = ({ input }: MemberLine, scope: MembersToImport['codeScope']): string[] =>
  (input.codes ?? [])
    .filter(({ group }) => (group !== undefined) === (scope === 'group'))
    .map(({ code }) => code);

/**
 * Returns the lines that take over a code, with a sentence for each. A code is taken over if it is a new group code
 * that takes precedence over another member's global code, so that purchases in the group no longer credit that member.
 */
async function takenOver(
  db: Db,
  place: { publisherId: string; groupId: string },
  { part, shadows }: { part: readonly MemberLine[]; shadows: readonly Shadow[] },
): Promise<ReadonlyMap<MemberLine, string[]>> {
  const own = await ownCodes(
    db,
    place,
    part.flatMap((line) => codesOf(line, 'group')),
  );
  const here = shadows.filter((shadow) => shadow.groupId === place.groupId && !own.has(shadow.codeFolded));
  const taken = part.map((line) => {
    const folded = new Set(codesOf(line, 'group').map(foldCode));
    const sentences = here
      .filter(({ codeFolded, memberId }) => folded.has(codeFolded) && memberId !== line.input.id)
      .map(
        ({ code, name }) =>
          `${code} is a global code of ${name}. In this group, purchases with it would credit this creator instead of ${name}.`,
      );
    return [line, sentences] as const;
  });
  return new Map(taken.filter(([, sentences]) => sentences.length > 0));
}

/**
 * Returns a sentence for each other member that has a code with the same text. The form for a single code uses the same
 * wording.
 */
function warningsOf(
  { memberId, codes }: LineVerdict,
  shadows: readonly Shadow[],
  scope: MembersToImport['codeScope'],
): string[] {
  const sentences = codes.flatMap((code) =>
    shadows
      .filter((shadow) => shadow.codeFolded === foldCode(code) && shadow.memberId !== memberId)
      .map((shadow) =>
        scope === 'group'
          ? `${shadow.code} is also a global code of ${shadow.name}. In this group, the new group code takes precedence.`
          : `${shadow.code} is also a group code of ${shadow.name} in ${shadow.groupName}, where it takes precedence over this one.`,
      ),
  );
  return [...new Set(sentences)];
}
