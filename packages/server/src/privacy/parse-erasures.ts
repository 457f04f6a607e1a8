import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';

/** Line of the file of erasures. It contains ids and amounts only, never names or addresses. */
export type LoggedErasure = LoggedBuyer | LoggedCreator;

interface LoggedBuyer {
  kind: 'buyer';
  /** Time at which the erasure began. */
  at: Date;
  publisherId: string;
  playerId: string;
}

interface LoggedCreator {
  kind: 'creator';
  at: Date;
  accountId: AccountId;
  replacesCodes: boolean;
  givenUp: readonly string[];
}

export const toLine = (erasure: LoggedErasure): string =>
  JSON.stringify(
    erasure.kind === 'buyer'
      ? { at: erasure.at, kind: 'buyer', publisher: erasure.publisherId, player: erasure.playerId }
      : {
          ...{ at: erasure.at, kind: 'creator', account: erasure.accountId },
          ...{ codes: erasure.replacesCodes, givenUp: erasure.givenUp },
        },
  );

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
  const [at, kind] = [new Date(text('at') ?? ''), text('kind')];
  const [publisherId, playerId, account] = [text('publisher'), text('player'), text('account')];
  if (Number.isNaN(at.getTime())) return null;
  if (kind === 'buyer' && publisherId !== null && playerId !== null)
    return { kind, at, publisherId, playerId };
  const [codes, givenUp] = [value.get('codes'), value.get('givenUp')];
  const isWhole = typeof codes === 'boolean' && Array.isArray(givenUp);
  if (
    kind !== 'creator' ||
    account === null ||
    !isWhole ||
    !givenUp.every((each) => typeof each === 'string')
  )
    return null;
  return { kind, at, accountId: toAccountId(account), replacesCodes: codes, givenUp };
}
