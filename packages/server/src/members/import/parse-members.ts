import { withoutGuard } from '../../platform/csv.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { MemberStatus } from '../lock-members.ts';
import type { MemberInput } from '../put/member-input.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { tagName } from '../tags/tag.ts';
import { quoted } from './line-problems.ts';
import { parseCsv, unreadable } from './parse-csv.ts';

export interface MemberLine {
  line: number;
  /** Member's input, without an id if the line has none. */
  input: Omit<MemberInput, 'id'> & { id?: string };
  /** Tags to add. */
  tags: string[];
  /** Problems, as sentences. A line with problems isn't imported. */
  problems: string[];
}

/** Maximum number of lines per file. Each part parses the whole file. */
export const maxLines = 5_000;

/** Columns of a file. Its first line contains their names, in any order. */
export const importColumns = [
  'id',
  'name',
  'codes',
  'playerId',
  'displayName',
  'tier',
  'status',
  'visible',
  'logoImage',
  'profileImage',
  'identities',
  'tags',
  'group',
] as const;

/** Further columns of an exported file, which an import ignores. */
export const exportedColumns = ['joinedAt', 'removedAt', 'removalReason'] as const;

type ImportColumn = (typeof importColumns)[number];

const otherNames: Readonly<Record<string, ImportColumn>> = {
  memberid: 'id',
  accountid: 'id',
  creator: 'name',
  code: 'codes',
  player: 'playerId',
  logo: 'logoImage',
  image: 'profileImage',
  identity: 'identities',
  tag: 'tags',
};

interface CsvToParse {
  csv: string;
  /** Group that the file is imported into. */
  groupId: string;
  codeScope: 'group' | 'global';
}

/**
 * Parses members from a CSV file. A line's problems are returned with the line.
 * @throws Refusal InvalidInput for an unreadable file
 */
export function parseMembers({ csv, groupId, codeScope }: CsvToParse): MemberLine[] {
  const [head, ...rest] = parseCsv(csv);
  if (head === undefined) throw unreadable('The file is empty. Its first line must name the columns.');
  if (rest.length > maxLines)
    throw unreadable(`The file has ${rest.length} lines. Import at most ${maxLines} at a time.`);
  const columns = readColumns(head.cells);
  const codesOfGroup = codeScope === 'group' ? groupId : undefined;
  const ofOtherGroups = new Set<MemberLine>();
  const lines = rest.map(({ line, cells: written }) => {
    const cells = written.map((cell) => withoutGuard(cell).trim());
    const problems: string[] = [];
    if (cells.length > columns.length)
      problems.push(
        `The line has ${cells.length} cells, but the first line names ${columns.length} columns.`,
      );
    const input = readCells(columns, cells, { codesOfGroup, problems });
    const parsed = { line, input, tags: tagsIn(columns, cells, problems), problems };
    const group = cells[columns.indexOf('group')];
    if (group !== undefined && group !== '' && group !== groupId) {
      ofOtherGroups.add(parsed);
      delete parsed.input.tier; // a tier of that group
      problems.push(
        `The line is for the group ${quoted(group)}. Choose that group, and import the file again.`,
      );
    }
    return parsed;
  });
  refuseRepetitions(lines.filter((line) => !ofOtherGroups.has(line)));
  return lines;
}

type FileColumn = ImportColumn | (typeof exportedColumns)[number];

function readColumns(cells: readonly string[]): FileColumn[] {
  const known = new Map<string, FileColumn>(
    [...importColumns, ...exportedColumns].map((name) => [name.toLowerCase(), name]),
  );
  const columns = cells.map((cell) => {
    const plain = cell.toLowerCase().replace(/[ _-]/g, '');
    const column = known.get(plain) ?? otherNames[plain];
    if (column === undefined)
      throw unreadable(
        `The first line has an unknown column "${cell.slice(0, 50)}". Valid columns are: ${importColumns.join(', ')}.`,
      );
    return column;
  });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw unreadable(`The first line names the column ${twice} twice.`);
  if (!columns.includes('id') && !columns.includes('name') && !columns.includes('codes'))
    throw unreadable('The first line must include an id, name or codes column to identify the creators.');
  return columns;
}

interface Reading {
  codesOfGroup: string | undefined;
  problems: string[];
}

/** Parses the cells of a line. An empty cell doesn't change anything. */
function readCells(
  columns: readonly FileColumn[],
  cells: readonly string[],
  { codesOfGroup, problems }: Reading,
): MemberLine['input'] {
  const cellOf = (column: ImportColumn): string | undefined => {
    const index = columns.indexOf(column);
    return (index === -1 ? undefined : cells[index]) || undefined;
  };
  const codes = words(cellOf('codes')).map((code) => ({
    code,
    ...(codesOfGroup !== undefined && { group: codesOfGroup }),
  }));
  const displayName = cellOf('displayName');
  const input = {
    id: cellOf('id'),
    name: cellOf('name'),
    playerId: cellOf('playerId'),
    tier: cellOf('tier'),
    logoImage: cellOf('logoImage'),
    profileImage: cellOf('profileImage'),
    status: statusOf(cellOf('status'), problems),
    visible: visibleOf(cellOf('visible'), problems),
    playerMetadata: displayName === undefined ? undefined : { displayName },
    codes: codes.length === 0 ? undefined : codes,
    identities: identitiesOf(cellOf('identities'), problems),
  };
  if (input.id === undefined && input.name === undefined) problems.push(noName);
  for (const text of [input.id, input.playerId, ...codes.map(({ code }) => code)])
    if (text !== undefined && /^\d(?:[.,]\d+)?e\+\d+$/i.test(text))
      problems.push(
        `${text} is a number that a spreadsheet shortened. Format the column as text, and save the file again.`,
      );
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** Reads a line's tags. They may contain spaces, so only , ; and | separate them. */
function tagsIn(columns: readonly FileColumn[], cells: readonly string[], problems: string[]): string[] {
  const cell = columns.includes('tags') ? cells[columns.indexOf('tags')] : undefined;
  const tags = (cell ?? '').split(/[,;|]/).filter((tag) => tag.trim() !== '');
  try {
    return tags.map((tag) => tagName(tag).name);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(error.message);
    return [];
  }
}

const words = (cell: string | undefined): string[] =>
  cell?.split(/[\s,;|]+/).filter((word) => word !== '') ?? [];

function statusOf(cell: string | undefined, problems: string[]): MemberStatus | undefined {
  switch (cell?.toLowerCase()) {
    case undefined:
      return undefined;
    case 'approved':
      return 'Approved';
    case 'pending':
      return 'Pending';
    case 'removed':
      return 'Removed';
    default:
      problems.push(wrongStatus(cell ?? ''));
      return undefined;
  }
}

export const wrongStatus = (status: string): string =>
  `The status must be Approved or Pending, not ${status}. To remove creators, use the list and give a reason.`;

function visibleOf(cell: string | undefined, problems: string[]): boolean | undefined {
  if (cell === undefined) return undefined;
  const isTrue = /^(?:true|yes|1)$/i.test(cell);
  if (!isTrue && !/^(?:false|no|0)$/i.test(cell)) problems.push(`Visible must be yes or no, not ${cell}.`);
  return isTrue;
}

function identitiesOf(
  cell: string | undefined,
  problems: string[],
): { provider: string; id: string }[] | undefined {
  const all = words(cell).map((word) => {
    const at = word.indexOf(':');
    if (at < 1 || at === word.length - 1)
      problems.push(`An identity must be written as twitch:123, not as ${word}.`);
    return { provider: word.slice(0, at), id: word.slice(at + 1) };
  });
  return all.length === 0 ? undefined : all;
}

export const noName =
  'A name is required for a new creator. To change an existing creator, add the creator’s id to the line.';

/**
 * Adds problems for values that occur more than once in a file. Otherwise, a duplicate would be found only after the
 * first line had been saved.
 */
function refuseRepetitions(lines: readonly MemberLine[]): void {
  const seen = new Map<string, number>();
  for (const { line, input, problems } of lines) {
    const names = [
      ...(input.id === undefined ? [] : [['id', input.id, input.id] as const]),
      ...(input.playerId === undefined ? [] : [['playerId', input.playerId, input.playerId] as const]),
      ...(input.codes ?? []).map(({ code }) => ['code', code, foldCode(code)] as const),
      ...(input.identities ?? []).map(({ provider, id }) => {
        const identity = `${provider}:${id}`;
        return ['identity', identity, identity] as const;
      }),
    ];
    for (const [what, shown, same] of names) {
      const first = seen.get(`${what} ${same}`);
      if (first === undefined) seen.set(`${what} ${same}`, line);
      else if (first === line) problems.push(`The line has the ${what} ${shown} twice.`);
      else problems.push(`Line ${first} already has the ${what} ${shown}.`);
    }
  }
}
