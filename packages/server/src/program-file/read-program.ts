import type { TSchema } from 'typebox';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { kindOfKey } from '../api-keys/key-format.ts';
import { firstProblem, problemText } from '../platform/http/schemas/validation.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { bounty, type ProgramBounty } from './bounty-schema.ts';
import { type Program, programSchema } from './program-schema.ts';
import { refuseRepetitions } from './refuse-repetitions.ts';

type Path = readonly (string | number)[];

/** A program that passed its schema, and where its parts stand in the file. */
export interface ProgramFile {
  /** As messages name it. */
  name: string;
  program: Program;
  /** @returns an error that names the file, the line and the place */
  errorAt(path: Path, message: string): OperatorError;
}

const maxBytes = 50 * 1024 * 1024;

/**
 * Reads a program file, YAML or JSON.
 * @param name of the file, for messages
 * @throws OperatorError naming the line of the first thing that is wrong
 */
export function readProgramFile(text: string, name: string): ProgramFile {
  const { value, errorAt } = readFile(programSchema, text, name);
  const file = { name, program: value as Program, errorAt };
  checkKeys(file);
  refuseRepetitions(file.program, errorAt);
  return file;
}

/**
 * Reads one bounty, in the form of a program file, for a group that exists.
 * @returns a program that has this bounty and no more; its errors name the lines of the bounty's own file
 * @throws OperatorError naming the line of the first thing that is wrong
 */
export function readBountyFile(
  text: string,
  name: string,
  publisherId: string,
  groupId: string,
): ProgramFile {
  const { value, errorAt } = readFile(bounty, text, name);
  const program = {
    publisher: { id: publisherId },
    groups: [{ id: groupId, bounties: [value as ProgramBounty] }],
  };
  const place = ['groups', 0, 'bounties', 0];
  const file: ProgramFile = {
    name,
    program,
    errorAt: (path, message) => errorAt(path.slice(place.length), message),
  };
  refuseRepetitions(program, file.errorAt);
  return file;
}

/** Reads YAML or JSON of a schema. */
function readFile(
  schema: TSchema,
  text: string,
  name: string,
): { value: unknown; errorAt: ProgramFile['errorAt'] } {
  if (text.length > maxBytes) throw new OperatorError(`${name} is larger than 50 MiB.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntax] = document.errors;
  if (syntax !== undefined) {
    const { line } = lines.linePos(syntax.pos[0]);
    throw new OperatorError(`${name}:${line}: ${syntax.message}`);
  }
  const errorAt = (path: Path, message: string): OperatorError =>
    new OperatorError(`${name}:${lineOf(document, lines, path)}: ${message}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new OperatorError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  const problem = firstProblem(schema, value);
  if (problem !== null) {
    const path = problem.wrongAt
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));
    throw errorAt(path, problemText(problem).replace(/^The body/, 'The file'));
  }
  return { value, errorAt };
}

/** Rules that hold inside the file alone, and that a schema cannot say. */
function checkKeys({ program, errorAt }: ProgramFile): void {
  const defaults = (program.groups ?? []).flatMap((group, index) => (group.default === true ? [index] : []));
  if (defaults.length > 1)
    throw errorAt(['groups', defaults[1] ?? 0, 'default'], 'only one group can be the default');
  for (const [index, { value, kind }] of (program.publisher.apiKeys ?? []).entries()) {
    if (value === undefined) continue;
    const path = ['publisher', 'apiKeys', index, 'value'];
    const found = kindOfKey(value);
    if (found === null)
      throw errorAt(
        path,
        `value is no key: its last 6 characters must be the checksum of the rest (\`${asTyped('keys create')}\` makes keys)`,
      );
    if (found !== kind) throw errorAt(path, `value is a ${found} key, and kind says ${kind}`);
  }
}

/** The line of a place, or of the nearest part above it that the file has. */
function lineOf(document: Document.Parsed, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
