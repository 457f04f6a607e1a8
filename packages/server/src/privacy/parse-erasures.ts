import { Refusal } from '../platform/refusal.ts';

/** Line of the file of erasures. It contains ids only, never names or addresses. */
export interface LoggedErasure {
  /** Time at which the erasure began. */
  at: Date;
  kind: 'buyer';
  publisherId: string;
  playerId: string;
}

export const toLine = ({ at, kind, publisherId, playerId }: LoggedErasure): string =>
  JSON.stringify({ at: at.toISOString(), kind, publisher: publisherId, player: playerId });

/**
 * Parses a file of erasures, which has one JSON object for each line. Empty lines are ignored.
 * @throws Refusal InvalidInput that names the first wrong line
 */
export function parseErasures(text: string): LoggedErasure[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const erasure = parseLine(line);
    if (erasure !== null) return [erasure];
    throw new Refusal(
      'InvalidInput',
      `Line ${index + 1} is not an erasure. Nothing was erased. Correct or delete the line.`,
    );
  });
}

function parseLine(line: string): LoggedErasure | null {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return null; // the caller names the line
  }
  if (typeof read !== 'object' || read === null) return null;
  const value = new Map<string, unknown>(Object.entries(read));
  const text = (name: string): string | null => {
    const found = value.get(name);
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const [at, publisherId, playerId] = [new Date(text('at') ?? ''), text('publisher'), text('player')];
  if (text('kind') !== 'buyer' || publisherId === null || playerId === null) return null;
  return Number.isNaN(at.getTime()) ? null : { at, kind: 'buyer', publisherId, playerId };
}
