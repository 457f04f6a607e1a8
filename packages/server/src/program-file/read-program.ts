import type { TSchema } from 'typebox';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { requireValue } from '../api-keys/create-key.ts';
import { type BountyInput, bountyInput } from '../bounties/define/bounty-input.ts';
import { everyProblem, problemText } from '../platform/http/schemas/validation.ts';
import { type InputPath, Refusal } from '../platform/refusal.ts';
import { type FileProblem, findRepetitions } from './find-repetitions.ts';
import { type Program, programSchema } from './program-schema.ts';

/** A file that passed its schema, and where its parts stand in it. */
export interface ReadFile {
  /** As messages name it. */
  name: string;
  /** @returns an error with a line for each of these, in their order in the file */
  errorOf(wrong: readonly FileProblem[]): Refusal;
}

export interface ProgramFile extends ReadFile {
  program: Program;
}

export interface BountyFile extends ReadFile {
  bounty: BountyInput;
}

/** Of a file; no program needs more. */
export const maxBytes = 50 * 1024 * 1024;
const maxTold = 100;

/**
 * Reads a program file, YAML or JSON.
 * @param name of the file, for messages
 * @throws Refusal naming the lines of all that is wrong in itself: its syntax, else its form, else what it repeats
 */
export function readProgramFile(text: string, name: string): ProgramFile {
  const { value, errorOf } = readFile(programSchema, text, name);
  const program = value as Program;
  const wrong = [...wrongDefaults(program), ...wrongKeys(program), ...findRepetitions(program)];
  if (wrong.length > 0) throw errorOf(wrong);
  return { name, program, errorOf };
}

/**
 * Reads a file of one bounty, in the form of a program file's.
 * @throws Refusal naming the lines of all that is wrong in its syntax, else in its form
 */
export function readBountyFile(text: string, name: string): BountyFile {
  const { value, errorOf } = readFile(bountyInput, text, name);
  return { name, bounty: value as BountyInput, errorOf };
}

/** Reads YAML or JSON of a schema. */
function readFile(
  schema: TSchema,
  text: string,
  name: string,
): { value: unknown; errorOf: ReadFile['errorOf'] } {
  if (text.length > maxBytes) throw new Refusal('InvalidInput', `${name} is larger than 50 MiB.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const told = document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, message }));
    // What follows from the first in a line is not worth another.
    const byLine = new Map(told.toReversed().map((each) => [each.line, each]));
    throw errorInLines(name, [...byLine.values()]);
  }
  const errorOf = (wrong: readonly FileProblem[]): Refusal =>
    errorInLines(
      name,
      wrong.map(({ path, message }) => ({ line: lineOf(document, lines, path), message })),
    );
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Refusal('InvalidInput', `${name}: ${error instanceof Error ? error.message : error}`);
  }
  const problems = everyProblem(schema, value);
  if (problems.length > 0)
    throw errorOf(
      problems.map((problem) => ({
        path: pathOf(problem.wrongAt),
        message: problemText(problem).replace(/^The body/, 'The file'),
      })),
    );
  return { value, errorOf };
}

/** A line for each, in the order of the file. */
function errorInLines(name: string, wrong: readonly { line: number; message: string }[]): Refusal {
  const lines = wrong
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, message }) => `${name}:${line}: ${message}`);
  const more = lines.length > maxTold ? [`${name}: and ${lines.length - maxTold} more`] : [];
  return new Refusal('InvalidInput', [...lines.slice(0, maxTold), ...more].join('\n'));
}

/** A JSON pointer as a path. */
const pathOf = (pointer: string): InputPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));

/** Rules that hold inside the file alone, and that a schema cannot say. */
function wrongDefaults({ groups = [] }: Program): FileProblem[] {
  const defaults = groups.flatMap((group, index) => (group.default === true ? [index] : []));
  return defaults
    .slice(1)
    .map((index) => ({ path: ['groups', index, 'default'], message: 'only one group can be the default' }));
}

/** The keys are looked at before the database is asked, and those that exist already as well. */
function wrongKeys({ publisher: { apiKeys = [] } }: Program): FileProblem[] {
  return apiKeys.flatMap(({ value, kind }, index) => {
    try {
      if (value !== undefined) requireValue(value, kind);
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return [{ path: ['publisher', 'apiKeys', index, ...(error.path ?? [])], message: error.message }];
    }
  });
}

/** The line of a place, or of the nearest part above it that the file has. */
function lineOf(document: Document.Parsed, lines: LineCounter, path: InputPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
