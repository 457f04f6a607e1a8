import type { Db } from '../../platform/database/database.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { type FoundMember, findByTexts } from './find-by-texts.ts';
import { type ListLine, maxCells, parseList } from './parse-list.ts';

export interface ListEntry {
  /** Text as pasted. The cells of a spreadsheet row are joined. */
  text: string;
  line: number;
  /**
   * `found`: exactly one creator in the group. `ambiguous`: several. `elsewhere`: only in other groups. `doubled`: same
   * creator as an earlier entry.
   */
  state: 'found' | 'ambiguous' | 'elsewhere' | 'doubled' | 'unknown';
  /** Matching creators, at most five. Empty for an unknown entry. */
  creators: FoundMember[];
}

export interface ListLookUp {
  /** Number of cells in the list. Only the first `maxCells` are looked up. */
  cellCount: number;
  entries: ListEntry[];
}

const maxCandidates = 5;
/** Maximum number of words to look up if a cell itself isn't found, such as codes separated by spaces. */
const maxWords = 50;
/** Maximum number of texts to look up: cells, whole lines and words. */
const maxTexts = 3_000;

/**
 * Finds the creators in a pasted list, each given by a code, account id, player id or full name. A line with commas
 * may be a single name. A spreadsheet row is a single creator if its cells don't match any other. A cell that isn't
 * found is split at spaces if every word is found. Doesn't change any data.
 * @param groupId group to look in; null for all groups
 * @throws Refusal NotFound for an unknown publisher
 */
export async function lookUpMembers(
  db: Db,
  { publisherId, groupId, text }: { publisherId: string; groupId: string | null; text: string },
): Promise<ListLookUp> {
  await requirePublisher(db, publisherId);
  const { lines, cellCount } = parseList(text);
  const found = await findByTexts(db, publisherId, [...textsOf(lines)].slice(0, maxTexts));
  const membersOf = (named: string): readonly FoundMember[] => found.get(named) ?? [];
  const entries = lines.flatMap((line) =>
    named(line, membersOf).map(({ text, members }) => toEntry({ text, line: line.line }, members, groupId)),
  );
  return { cellCount, entries: markDoubled(entries.slice(0, maxCells)) };
}

/** Yields the texts to look up, most important first. */
function* textsOf(lines: readonly ListLine[]): Generator<string> {
  const texts = new Set<string>();
  for (const { whole, cells } of lines)
    for (const text of [whole, ...cells]) if (text !== null) texts.add(text);
  for (const { cells } of lines) for (const cell of cells) for (const word of wordsOf(cell)) texts.add(word);
  yield* texts;
}

/** Returns the words in a cell that has more than one. */
function wordsOf(cell: string): string[] {
  const words = cell.split(/\s+/);
  return words.length > 1 && words.length <= maxWords ? words : [];
}

interface Named {
  text: string;
  members: readonly FoundMember[];
}

/** Splits a line into entries, depending on which of its texts match creators. */
function named(
  { whole, cells, isRow }: ListLine,
  membersOf: (text: string) => readonly FoundMember[],
): Named[] {
  if (whole !== null && membersOf(whole).length > 0) return [{ text: whole, members: membersOf(whole) }];
  if (isRow) {
    const matched = cells.map(membersOf).filter((members) => members.length > 0);
    const keys = new Set(matched.flat().map(keyOf));
    const shared = [...keys].filter((key) =>
      matched.every((members) => members.some((member) => keyOf(member) === key)),
    );
    // Cells with a creator in common describe that creator. All others are separate entries.
    if (matched.length === 0 || shared.length > 0)
      return [
        {
          text: cells.join(' · '),
          members: (matched[0] ?? []).filter((member) => shared.includes(keyOf(member))),
        },
      ];
  }
  return cells.flatMap((cell) => {
    const members = membersOf(cell);
    const words = wordsOf(cell);
    if (members.length === 0 && words.length > 0 && words.every((word) => membersOf(word).length > 0))
      return words.map((word) => ({ text: word, members: membersOf(word) }));
    return [{ text: cell, members }];
  });
}

const keyOf = ({ groupId, memberId }: FoundMember): string => `${groupId}/${memberId}`;

function toEntry(
  shown: { text: string; line: number },
  members: readonly FoundMember[],
  groupId: string | null,
): ListEntry {
  const here = members.filter((member) => groupId === null || member.groupId === groupId);
  const state =
    here.length === 1
      ? 'found'
      : here.length > 1
        ? 'ambiguous'
        : members.length > 0
          ? 'elsewhere'
          : 'unknown';
  return { ...shown, state, creators: (here.length > 0 ? here : members).slice(0, maxCandidates) };
}

/** Marks entries whose creator or unknown text is the same as an earlier entry's. */
function markDoubled(entries: readonly ListEntry[]): ListEntry[] {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const [creator] = entry.creators;
    const key =
      entry.state === 'found' && creator !== undefined ? keyOf(creator) : `text ${entry.text.toLowerCase()}`;
    if (seen.has(key)) return { ...entry, state: 'doubled' };
    seen.add(key);
    return entry;
  });
}
