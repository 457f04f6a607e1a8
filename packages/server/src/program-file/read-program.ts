import type { TSchema } from 'typebox';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { requireValue } from '../api-keys/create-key.ts';
import { type BountyInput, bountyInput } from '../bounties/define/bounty-input.ts';
import { everyProblem, problemText } from '../platform/http/schemas/validation.ts';
import { type InputPath, Refusal } from '../platform/refusal.ts';
import { type FileProblem, findRepetitions } from './find-repetitions.ts';
import { type Program, programSchema } from './program-schema.ts';

/** File that conforms to its schema. */
export interface ReadFile {
  /** Name of the file in messages. */
  name: string;
  /** @returns an error with one message line per problem, in file order */
  errorOf(problems: readonly FileProblem[]): Refusal;
}

export interface ProgramFile extends ReadFile {
  program: Program;
}

export interface BountyFile extends ReadFile {
  bounty: BountyInput;
}

/** Maximum size of a file, in bytes. */
export const maxBytes = 50 * 1024 * 1024;
/** Maximum number of problems in a message. */
const maxReported = 100;

/**
 * Reads a program file in YAML or JSON.
 * @param name of the file, for messages
 * @throws Refusal with the lines of all syntax errors, or else all schema violations, or else all duplicates
 */
export function readProgramFile(text: string, name: string): ProgramFile {
  const { value, errorOf } = readFile(programSchema, text, name);
  const program = value as Program;
  const problems = [...defaultProblems(program), ...keyProblems(program), ...findRepetitions(program)];
  if (problems.length > 0) throw errorOf(problems);
  return { name, program, errorOf };
}

/**
 * Reads a file with one bounty, which has the schema of a bounty in a program file.
 * @throws Refusal with the lines of all syntax errors, or else all schema violations
 */
export function readBountyFile(text: string, name: string): BountyFile {
  const { value, errorOf } = readFile(bountyInput, text, name);
  return { name, bounty: value as BountyInput, errorOf };
}

/** Reads YAML or JSON and checks it against a schema. */
function readFile(
  schema: TSchema,
  text: string,
  name: string,
): { value: unknown; errorOf: ReadFile['errorOf'] } {
  if (text.length > maxBytes)
    throw new Refusal('InvalidInput', `${name} is larger than 50 MiB. Split it into several files.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const errors = document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, message }));
    // Keep only the first error on each line, because it often causes the others.
    const byLine = new Map(errors.toReversed().map((each) => [each.line, each]));
    throw errorInLines(name, [...byLine.values()]);
  }
  const errorOf = (problems: readonly FileProblem[]): Refusal =>
    errorInLines(
      name,
      problems.map(({ path, message }) => ({ line: lineOf(document, lines, path), message })),
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

/** Creates an error with one message line per problem, in file order. */
function errorInLines(name: string, problems: readonly { line: number; message: string }[]): Refusal {
  const lines = problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, message }) => `${name}:${line}: ${message}`);
  const more = lines.length > maxReported ? [`${name}: and ${lines.length - maxReported} more`] : [];
  return new Refusal('InvalidInput', [...lines.slice(0, maxReported), ...more].join('\n'));
}

const pathOf = (pointer: string): InputPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));

/** Reports an error if there is more than one default group. The schema can't express this rule. */
function defaultProblems({ groups = [] }: Program): FileProblem[] {
  const defaults = groups.flatMap((group, index) => (group.default === true ? [index] : []));
  return defaults
    .slice(1)
    .map((index) => ({ path: ['groups', index, 'default'], message: 'only one group can be the default' }));
}

/** Checks key values, even those of existing keys, before using the database. */
function keyProblems({ publisher: { apiKeys = [] } }: Program): FileProblem[] {
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

/** Returns the line of a path, or of its nearest parent in the file. */
function lineOf(document: Document.Parsed, lines: LineCounter, path: InputPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
