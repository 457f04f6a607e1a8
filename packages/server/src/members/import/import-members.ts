import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { everyProblem, problemText } from '../../platform/http/schemas/validation.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { newMemberId } from '../change/create-member.ts';
import { eachOnItsOwn, type Outcome } from '../change/each-on-its-own.ts';
import { type MemberInput, memberInput } from '../put/member-input.ts';
import { type MemberOutcome, putMember } from '../put/put-member.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { findShadows, type Shadow } from './find-shadows.ts';
import { type MemberLine, parseMembers } from './parse-members.ts';

export interface MembersToImport {
  publisherId: string;
  groupId: string;
  /** A table with the names of its columns in the first line (`importColumns`). */
  csv: string;
  codeScope: 'group' | 'global';
  /** Says what would become of each line, and changes nothing. */
  isRehearsal: boolean;
  /** Where to go on: `nextLine` of the part before; from the beginning when absent. */
  fromLine?: number | undefined;
}

/** What became of some lines of a file. */
export interface ImportedPart {
  lines: LineVerdict[];
  /** Of the whole file, without its first line and empty ones. */
  lineCount: number;
  /** Where the next part begins; null after the last. */
  nextLine: number | null;
}

/** A few seconds of work, so that whoever asked sees how far it is, and no proxy gives up before. */
const linesOfPart = 250;

/** What became of one line, or would become of it. */
export interface LineVerdict {
  line: number;
  verdict: 'new' | 'changed' | 'as before' | 'refused';
  /** As far as the line says. */
  name: string | null;
  memberId: string | null;
  codes: string[];
  /** Why it is refused, a sentence each. */
  problems: string[];
  /** What it does to others' codes, a sentence each; it is saved all the same. */
  warnings: string[];
}

/**
 * Makes and changes members of a group as the lines of a file say, a part of it at a time and each line on its own: one
 * that is refused leaves nothing of itself, and all others are saved. A line whose id is known changes that member; what a
 * cell leaves empty stays. A rehearsal does the same, and takes it back.
 * @throws Refusal InvalidInput for a file that cannot be read at all, NotFound for a group that does not exist
 */
export async function importMembers(
  db: Db,
  actor: Actor,
  { publisherId, groupId, csv, codeScope, isRehearsal, fromLine = 0 }: MembersToImport,
): Promise<ImportedPart> {
  await findGroup(db, publisherId, groupId);
  const all = parseMembers({ csv, codesOfGroup: codeScope === 'group' ? groupId : undefined });
  const rest = all.filter(({ line }) => line >= fromLine);
  const part = rest.slice(0, linesOfPart);
  for (const { said, problems } of part)
    problems.push(...everyProblem(memberInput, asMember(said)).map((each) => sentence(problemText(each))));
  const good = part.filter(({ problems }) => problems.length === 0);
  const outcomes = await eachOnItsOwn(db, { publisherId, entries: good, isRehearsal }, (tx, { said }) =>
    putMember(tx, actor, { publisherId, groupId, ...asMember(said) }),
  );
  const outcomeOf = new Map(outcomes.map((outcome, index) => [good[index], outcome]));
  const codes = good.flatMap(({ said }) => (said.codes ?? []).map(({ code }) => code));
  const shadows = await findShadows(db, publisherId, codeScope, codes);
  return {
    lines: part.map((line) => {
      const verdict = verdictOf(line, outcomeOf.get(line));
      if (verdict.verdict === 'refused') return verdict;
      return { ...verdict, warnings: warningsOf(verdict, shadows, codeScope) };
    }),
    lineCount: all.length,
    nextLine: rest[linesOfPart]?.line ?? null,
  };
}

/** A new member whom the line does not name is called what its first code is. */
const asMember = (said: MemberLine['said']): MemberInput =>
  said.id === undefined
    ? { name: said.codes?.[0]?.code ?? '', ...said, id: newMemberId() }
    : { ...said, id: said.id };

const problemsOf = (refusal: Refusal): string[] =>
  [refusal, ...refusal.others].map(({ message }) => sentence(message));

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

function verdictOf(
  { line, said, problems }: MemberLine,
  outcome: Outcome<MemberOutcome> | undefined,
): LineVerdict {
  const shown = {
    line,
    name: said.name ?? null,
    memberId: said.id ?? null,
    codes: (said.codes ?? []).map(({ code }) => code),
    warnings: [],
  };
  if (outcome === undefined) return { ...shown, verdict: 'refused', problems };
  if ('refused' in outcome) return { ...shown, verdict: 'refused', problems: problemsOf(outcome.refused) };
  const { isNew, isChanged, isClaimed } = outcome.done;
  if (isClaimed)
    return {
      ...shown,
      verdict: 'refused',
      problems: ['A creator claimed this account, and it became part of theirs.'],
    };
  return { ...shown, verdict: isNew ? 'new' : isChanged ? 'changed' : 'as before', problems: [] };
}

/** As the form of a single code says it, for whoever else has the same letters: one sentence a code, or a group. */
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
          ? `${shadow.code} is a global code of ${shadow.name}: as a code of this group alone it goes before that here.`
          : `${shadow.code} is a code of ${shadow.name} in ${shadow.groupName} alone: there it goes before this one.`,
      ),
  );
  return [...new Set(sentences)];
}
