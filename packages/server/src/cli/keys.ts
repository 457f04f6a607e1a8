import type { KeyKind } from '../api-keys/key-format.ts';
import { createKey, type ListedKey, listKeys, revokeKey } from '../api-keys/manage-keys.ts';
import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { printTable } from './print-table.ts';

type Print = (line: string) => void;

export interface CreateKeyOptions {
  publisher: string;
  kind: KeyKind;
  name: string;
  group?: string;
  expires?: string;
  json?: boolean;
}

export async function createKeyCommand(
  db: Db,
  options: CreateKeyOptions,
  now: Date,
  print: Print,
): Promise<void> {
  const { publisher, kind, name, group = null, expires, json } = options;
  if (name.length < 1 || name.length > 255) throw new OperatorError('--name must have 1 to 255 characters.');
  const expiresAt = expires === undefined ? null : readDate(expires);
  if (expiresAt !== null && expiresAt <= now) throw new OperatorError('--expires is in the past.');
  const { keyId, key } = await createKey(db, publisher, { name, kind, groupId: group, expiresAt });
  if (json) {
    print(JSON.stringify({ keyId, name, kind, ...(group !== null && { group }), key }));
    return;
  }
  print(
    `${key}\n\nThis is the ${kind} key ${name} (${keyId}) of ${publisher}. It is not stored: keep it now.`,
  );
}

export async function listKeysCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  now: Date,
  print: Print,
) {
  const keys = await listKeys(db, options.publisher);
  if (options.json) {
    print(JSON.stringify(keys.map((key) => toJson(key, now))));
    return;
  }
  if (keys.length === 0) {
    print(`Publisher ${options.publisher} has no keys. Make one with \`${asTyped('keys create')}\`.`);
    return;
  }
  printTable(
    ['ID', 'KIND', 'NAME', 'GROUP', 'STATE'],
    keys.map((key) => cells(key, now)),
    print,
  );
}

export async function revokeKeyCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  keyId: KeyId,
  now: Date,
  print: Print,
): Promise<void> {
  await revokeKey(db, options.publisher, keyId, now);
  print(
    options.json
      ? JSON.stringify({ keyId, revoked: true })
      : `Revoked ${keyId}; within five seconds no process accepts it.`,
  );
}

const state = ({ revokedAt, expiresAt }: ListedKey, now: Date): string =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'active';

const cells = (key: ListedKey, now: Date): string[] => [
  key.keyId,
  key.kind,
  key.name,
  key.groupId ?? '-',
  state(key, now) + (key.expiresAt === null ? '' : `, until ${key.expiresAt.toISOString()}`),
];

const toJson = (key: ListedKey, now: Date) => ({
  keyId: key.keyId,
  name: key.name,
  kind: key.kind,
  ...(key.groupId !== null && { group: key.groupId }),
  createdAt: key.createdAt,
  ...(key.expiresAt !== null && { expiresAt: key.expiresAt }),
  ...(key.revokedAt !== null && { revokedAt: key.revokedAt }),
  state: state(key, now),
});

/** A day (its start, in UTC) or a timestamp. */
function readDate(text: string): Date {
  const ms = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (ms === null)
    throw new OperatorError(
      '--expires must be a day such as 2027-01-31, or a timestamp such as 2027-01-31T12:00:00Z.',
    );
  return new Date(ms);
}
