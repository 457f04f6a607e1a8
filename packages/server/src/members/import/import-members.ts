import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { toAccountId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { readTierNames } from '../../publishers/tier-names.ts';
import { newMemberId } from '../change/create-member.ts';
import { eachOnItsOwn, type Outcome } from '../change/each-on-its-own.ts';
import type { MemberInput } from '../put/member-input.ts';
import { type MemberOutcome, putMember } from '../put/put-member.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { findShadows, ownCodes, type Shadow } from './find-shadows.ts';
import { problemsOfLine } from './line-problems.ts';
import { matchTier } from './match-tier.ts';
import { type MemberLine, noName, parseMembers } from './parse-members.ts';

export interface MembersToImport {
  publisherId: string;
  groupId: string;
  /** A table with the names of its columns in the first line (`importColumns`). */
  csv: string;
  codeScope: 'group' | 'global';
  /** Saves lines that take a code over, too; without it they are refused when the import is applied. */
  takeOver?: boolean | undefined;
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

export const lineVerdicts = ['new', 'changed', 'as before', 'takes over', 'refused'] as const;

/** What became of one line, or would become of it. */
export interface LineVerdict {
  line: number;
  /** `takes over`: saved only where `takeOver` says so, for purchases credit this creator from then on, and another no longer. */
  verdict: (typeof lineVerdicts)[number];
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
  { publisherId, groupId, csv, codeScope, takeOver = false, isRehearsal, fromLine = 0 }: MembersToImport,
): Promise<ImportedPart> {
  const group = await readGroup(db, publisherId, groupId);
  const all = parseMembers({ csv, codesOfGroup: codeScope === 'group' ? groupId : undefined });
  const rest = all.filter(({ line }) => line >= fromLine);
  const part = rest.slice(0, linesOfPart);
  for (const line of part) {
    matchTier(line, group.tierNames, group.name);
    line.problems.push(...problemsOfLine(asMember(line.said)));
  }
  const codes = part.flatMap(codesOf);
  const shadows = await findShadows(db, publisherId, codeScope, codes);
  const taken =
    codeScope === 'group' ? await takenOver(db, { publisherId, groupId }, { part, shadows }) : noneTaken;
  if (!isRehearsal && !takeOver)
    for (const line of part) if (taken.has(line)) line.problems.push(...(taken.get(line) ?? []), allowIt);
  const good = part.filter(({ problems }) => problems.length === 0);
  const outcomes = await eachOnItsOwn(
    db,
    { publisherId, entries: good, isRehearsal },
    async (tx, { said }) => {
      if (said.name === undefined) await requireKnown(tx, said.id);
      return putMember(tx, actor, { publisherId, groupId, ...asMember(said) });
    },
  );
  const outcomeOf = new Map(outcomes.map((outcome, index) => [good[index], outcome]));
  return {
    lines: part.map((line) => {
      const verdict = verdictOf(line, outcomeOf.get(line));
      if (verdict.verdict === 'refused') return verdict;
      const takes = taken.get(line);
      if (takes !== undefined) return { ...verdict, verdict: 'takes over', warnings: takes };
      return { ...verdict, warnings: warningsOf(verdict, shadows, codeScope) };
    }),
    lineCount: all.length,
    nextLine: rest[linesOfPart]?.line ?? null,
  };
}

async function readGroup(db: Db, publisherId: string, asked: string) {
  const groupId = await findGroup(db, publisherId, asked);
  const { name } = await db
    .selectFrom('creator_group')
    .select('name')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return { name, tierNames: await readTierNames(db, publisherId, groupId) };
}

const asMember = ({ id, ...said }: MemberLine['said']): MemberInput => ({ ...said, id: id ?? newMemberId() });

/** An empty name leaves what is there, and a new creator has none. */
async function requireKnown(tx: ProgramTx, id: string | undefined): Promise<void> {
  const known =
    id !== undefined &&
    (await tx
      .selectFrom('creator_account')
      .select('account_id')
      .where('account_id', '=', toAccountId(id))
      .executeTakeFirst());
  if (known === false || known === undefined) throw new Refusal('InvalidInput', noName, { path: ['name'] });
}

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

const allowIt = 'Allow lines that take a code over to save it.';
const noneTaken: ReadonlyMap<MemberLine, string[]> = new Map();

const codesOf = ({ said }: MemberLine): string[] => (said.codes ?? []).map(({ code }) => code);

/**
 * Lines that take a code over, with a sentence for each: a new code of the group goes before the global one of another
 * member of the group, whom purchases with it credit no longer.
 */
async function takenOver(
  db: Db,
  place: { publisherId: string; groupId: string },
  { part, shadows }: { part: readonly MemberLine[]; shadows: readonly Shadow[] },
): Promise<ReadonlyMap<MemberLine, string[]>> {
  const own = await ownCodes(db, place, part.flatMap(codesOf));
  const here = shadows.filter((shadow) => shadow.groupId === place.groupId && !own.has(shadow.codeFolded));
  const taken = part.map((line) => {
    const folded = new Set(codesOf(line).map(foldCode));
    const sentences = here
      .filter(({ codeFolded, memberId }) => folded.has(codeFolded) && memberId !== line.said.id)
      .map(
        ({ code, name }) =>
          `${code} is a global code of ${name}: here purchases with it would credit this creator, and ${name} no longer.`,
      );
    return [line, sentences] as const;
  });
  return new Map(taken.filter(([, sentences]) => sentences.length > 0));
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
