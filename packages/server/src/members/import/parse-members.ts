import { Refusal } from '../../platform/refusal.ts';
import type { MemberInput } from '../put/member-input.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { parseCsv } from './parse-csv.ts';

/** What one line of a file says of a member. */
export interface MemberLine {
  line: number;
  /** Its id is absent where the line has none. */
  said: Omit<MemberInput, 'id'> & { id?: string };
  /** Sentences; such a line is not looked at further. */
  problems: string[];
}

/** Every line is read at once, and answered at once. */
export const maxLines = 5_000;

/** The columns that a file may have; it names them in its first line, in any order. */
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
] as const;

type ImportColumn = (typeof importColumns)[number];

/** How else people write them. */
const otherNames: Readonly<Record<string, ImportColumn>> = {
  memberid: 'id',
  accountid: 'id',
  creator: 'name',
  code: 'codes',
  player: 'playerId',
  logo: 'logoImage',
  image: 'profileImage',
  identity: 'identities',
};

interface Asked {
  csv: string;
  /** Given where codes are to be the group's own; absent for codes that are good in every group of their creator. */
  codesOfGroup?: string | undefined;
}

/**
 * Reads members from a file that people made. What is wrong with a line is said of the line.
 * @throws Refusal InvalidInput for a file that cannot be read at all
 */
export function parseMembers({ csv, codesOfGroup }: Asked): MemberLine[] {
  const { records, openQuote } = parseCsv(csv);
  if (openQuote !== null) throw unreadable(`The quote that opens on line ${openQuote} is never closed.`);
  const [head, ...rest] = records;
  if (head === undefined) throw unreadable('The file is empty. Its first line names the columns.');
  if (rest.length > maxLines)
    throw unreadable(`The file has ${rest.length} lines; at most ${maxLines} can be imported at once.`);
  const columns = readColumns(head.cells);
  const lines = rest.map(({ line, cells }) => {
    const problems: string[] = [];
    if (cells.length > columns.length)
      problems.push(`It has ${cells.length} cells, and the first line names ${columns.length} columns.`);
    const said = readCells(columns, cells, { codesOfGroup, problems });
    return { line, said, problems };
  });
  refuseRepetitions(lines);
  return lines;
}

const unreadable = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['csv'] });

function readColumns(cells: readonly string[]): ImportColumn[] {
  const known = new Map<string, ImportColumn>(importColumns.map((name) => [name.toLowerCase(), name]));
  const columns = cells.map((cell) => {
    const plain = cell.toLowerCase().replace(/[ _-]/g, '');
    const column = known.get(plain) ?? otherNames[plain];
    if (column === undefined)
      throw unreadable(
        `The first line names a column "${cell.slice(0, 50)}", which is not known. Columns are: ${importColumns.join(', ')}.`,
      );
    return column;
  });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw unreadable(`The first line names the column ${twice} twice.`);
  if (!columns.includes('id') && !columns.includes('name') && !columns.includes('codes'))
    throw unreadable('The first line names no column id, name or codes, so nobody knows who is meant.');
  return columns;
}

interface Reading {
  codesOfGroup: string | undefined;
  problems: string[];
}

/** An empty cell says nothing, so what it is about stays as it is. */
function readCells(
  columns: readonly ImportColumn[],
  cells: readonly string[],
  { codesOfGroup, problems }: Reading,
): MemberLine['said'] {
  const cellOf = (column: ImportColumn): string | undefined => {
    const index = columns.indexOf(column);
    return (index === -1 ? undefined : cells[index]) || undefined;
  };
  const codes = words(cellOf('codes')).map((code) => ({
    code,
    ...(codesOfGroup !== undefined && { group: codesOfGroup }),
  }));
  const displayName = cellOf('displayName');
  const said = {
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
  if (said.id === undefined && said.name === undefined) problems.push(noName);
  for (const text of [said.id, said.playerId, ...codes.map(({ code }) => code)])
    if (text !== undefined && /^\d(?:[.,]\d+)?e\+\d+$/i.test(text))
      problems.push(
        `${text} is a number that a spreadsheet shortened; format the column as text, and save it again.`,
      );
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

const words = (cell: string | undefined): string[] =>
  cell?.split(/[\s,;|]+/).filter((word) => word !== '') ?? [];

function statusOf(cell: string | undefined, problems: string[]): 'Approved' | 'Pending' | undefined {
  switch (cell?.toLowerCase()) {
    case undefined:
      return undefined;
    case 'approved':
      return 'Approved';
    case 'pending':
      return 'Pending';
    default:
      problems.push(
        `The status is Approved or Pending, not ${cell}; creators are removed in the list, with a reason.`,
      );
      return undefined;
  }
}

function visibleOf(cell: string | undefined, problems: string[]): boolean | undefined {
  if (cell === undefined) return undefined;
  const isTrue = /^(?:true|yes|1)$/i.test(cell);
  if (!isTrue && !/^(?:false|no|0)$/i.test(cell)) problems.push(`Visible is yes or no, not ${cell}.`);
  return isTrue;
}

function identitiesOf(
  cell: string | undefined,
  problems: string[],
): { provider: string; id: string }[] | undefined {
  const all = words(cell).map((word) => {
    const at = word.indexOf(':');
    if (at < 1 || at === word.length - 1)
      problems.push(`An identity is written as twitch:123, not as ${word}.`);
    return { provider: word.slice(0, at), id: word.slice(at + 1) };
  });
  return all.length === 0 ? undefined : all;
}

/** Problem of a line about a new creator. */
export const noName =
  'It has no name. A new creator needs one; to change a creator you have, put the creator’s id on the line.';

/** What stands twice in a file is not known to be twice until the first of it is saved, so it is said here. */
function refuseRepetitions(lines: readonly MemberLine[]): void {
  const seen = new Map<string, number>();
  for (const { line, said, problems } of lines) {
    const names = [
      ...(said.id === undefined ? [] : [['id', said.id, said.id] as const]),
      ...(said.playerId === undefined ? [] : [['playerId', said.playerId, said.playerId] as const]),
      ...(said.codes ?? []).map(({ code }) => ['code', code, foldCode(code)] as const),
      ...(said.identities ?? []).map(({ provider, id }) => {
        const identity = `${provider}:${id}`;
        return ['identity', identity, identity] as const;
      }),
    ];
    for (const [what, shown, same] of names) {
      const first = seen.get(`${what} ${same}`);
      if (first === undefined) seen.set(`${what} ${same}`, line);
      else if (first === line) problems.push(`It says the ${what} ${shown} twice.`);
      else problems.push(`Line ${first} has the ${what} ${shown} already.`);
    }
  }
}
