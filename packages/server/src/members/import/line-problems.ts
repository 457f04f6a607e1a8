import { everyProblem, type Problem } from '../../platform/http/schemas/validation.ts';
import { type MemberInput, memberInput } from '../put/member-input.ts';

/** Maximum number of characters that a message quotes from a cell. */
const maxShown = 60;

/** Returns a sentence for each invalid cell in a line, with its value and the rule. */
export function problemsOfLine(member: MemberInput): string[] {
  return [...new Set(everyProblem(memberInput, member).map((problem) => sentenceOf(problem, member)))];
}

/**
 * Columns of a line: a pattern that matches the JSON pointers to the column's values, the column's name, and
 * the rule for its values.
 */
const columns: readonly [pointer: RegExp, name: string, rule: string][] = [
  [/^\/codes\//, 'code', 'must have 2 to 32 letters, digits, _ and -'],
  [
    /^\/identities\//,
    'identity',
    'must be written as twitch:123, with at most 64 characters before the colon and 255 after it',
  ],
  [/^\/id$/, 'id', 'must have 1 to 64 letters, digits and _ . : @ -'],
  [/^\/playerId$/, 'player id', 'must have at most 255 characters, all of them printable'],
  [/^\/name$/, 'name', 'must have at most 255 characters'],
  [/^\/tier$/, 'tier', 'must have at most 255 characters'],
  [/^\/playerMetadata\//, 'display name', 'must have at most 255 characters'],
  [/^\/logoImage$/, 'logo image', 'must be an http or https address with at most 2,000 characters'],
  [/^\/profileImage$/, 'profile image', 'must be an http or https address with at most 2,000 characters'],
];

function sentenceOf({ wrongAt, message }: Problem, member: MemberInput): string {
  const column = columns.find(([pointer]) => pointer.test(wrongAt));
  if (column === undefined) throw new Error(`a line of an import has no column for ${wrongAt}: ${message}`);
  const [, name, rule] = column;
  return `The ${name} ${quoted(cellAt(wrongAt, member))} ${rule}.`;
}

/** Returns the value at a pointer, as spelled in the line. */
function cellAt(pointer: string, member: MemberInput): string {
  const [field, index = ''] = pointer.split('/').slice(1);
  switch (field) {
    case 'codes':
      return member.codes?.[Number(index)]?.code ?? '';
    case 'identities': {
      const { provider = '', id = '' } = member.identities?.[Number(index)] ?? {};
      return `${provider}:${id}`;
    }
    case 'playerMetadata':
      return member.playerMetadata?.displayName ?? '';
    default:
      return String(member[field as keyof MemberInput] ?? '');
  }
}

/** Quotes a value for a sentence, shortened and with nonprintable characters replaced. */
export function quoted(value: string): string {
  const printable = value.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return `“${printable.length > maxShown ? `${printable.slice(0, maxShown).toWellFormed()}…` : printable}”`;
}
