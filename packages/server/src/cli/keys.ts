import { type Command, InvalidArgumentError, Option } from 'commander';
import { createKey } from '../api-keys/create-key.ts';
import type { KeyKind } from '../api-keys/key-format.ts';
import { type ListedKey, listKeys } from '../api-keys/list-keys.ts';
import { revokeKey } from '../api-keys/revoke-key.ts';
import { maxOverlapHours, rotateKey } from '../api-keys/rotate-key.ts';
import { systemClock } from '../platform/clock.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { toKeyId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { inDatabase, jsonOption, type PublisherOptions, publisherOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

interface CreateOptions extends PublisherOptions {
  kind: KeyKind;
  name: string;
  group?: string;
  expires?: string;
}

interface RotateOptions extends PublisherOptions {
  overlapHours: number;
}

export function addKeyCommands(program: Command, tools: CommandTools): void {
  const keys = program.command('keys').description("Create, list, rotate and revoke a publisher's API keys.");
  keys
    .command('create')
    .description('Create an API key and print it once.')
    .addOption(publisherOption())
    .addOption(
      new Option('--kind <kind>', 'secret for back ends, public for game clients')
        .choices(['secret', 'public'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name that identifies the key in lists')
    .option('--group <id>', 'limit the key to this group')
    .option('--expires <date>', 'day or timestamp when the key expires')
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: CreateOptions) => create(work, tools, options)));
  keys
    .command('list')
    .description('List API keys, including revoked keys.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PublisherOptions) => list(work, tools, options)));
  keys
    .command('rotate')
    .argument('<keyId>', 'id of the key, from `keys list`', toKeyId)
    .description(
      'Replace a key with a new one of the same kind and group, and print it once. The old key expires later.',
    )
    .addOption(publisherOption())
    .addOption(
      new Option('--overlap-hours <hours>', 'hours until the old key expires')
        .argParser(readHours)
        .default(24),
    )
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, keyId: KeyId, options: RotateOptions) => rotate(work, tools, keyId, options)),
    );
  keys
    .command('revoke')
    .argument('<keyId>', 'id of the key, from `keys list`', toKeyId)
    .description('Revoke an API key.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, keyId: KeyId, options: PublisherOptions) =>
        revoke(work, tools, keyId, options),
      ),
    );
}

async function create(
  { db, actor }: Work,
  { print }: CommandTools,
  { publisher, kind, name, group, expires, json }: CreateOptions,
): Promise<void> {
  const input = {
    publisherId: publisher,
    name,
    kind,
    group: group ?? null,
    expiresAt: expires === undefined ? null : readDate(expires),
  };
  const { keyId, key } = await createKey(db, actor, input, systemClock.now());
  if (json) {
    print(JSON.stringify({ keyId, name, kind, ...(group !== undefined && { group }), key }));
    return;
  }
  print(
    `${key}\n\nThis is the ${kind} key ${name} (${keyId}) of ${publisher}. Save it now: it is not stored and can't be shown again.`,
  );
}

async function list({ db }: Work, tools: CommandTools, options: PublisherOptions): Promise<void> {
  const now = systemClock.now();
  const keys = await listKeys(db, options.publisher);
  printList(tools, options, {
    rows: keys,
    json: keys.map((key) => toJson(key, now)),
    columns: {
      ID: ({ keyId }) => keyId,
      KIND: ({ kind }) => kind,
      NAME: ({ name }) => name,
      GROUP: ({ groupId }) => groupId ?? '-',
      STATE: (key) =>
        state(key, now) + (key.expiresAt === null ? '' : `, expires ${key.expiresAt.toISOString()}`),
    },
    empty: `Publisher ${options.publisher} has no keys. Create one with \`${asTyped('keys create')}\`.`,
  });
}

async function rotate(
  { db, actor }: Work,
  { print }: CommandTools,
  keyId: KeyId,
  { publisher, overlapHours, json }: RotateOptions,
): Promise<void> {
  const input = { publisherId: publisher, keyId, overlapMs: overlapHours * 3_600_000 };
  const { keyId: newKeyId, name, key, oldExpiresAt } = await rotateKey(db, actor, input, systemClock.now());
  print(
    json
      ? JSON.stringify({ keyId: newKeyId, name, key, oldKeyId: keyId, oldExpiresAt })
      : `${key}\n\nThis is the key ${name} (${newKeyId}) of ${publisher}. Save it now: it is not stored and can't be shown again.\nThe old key ${keyId} works until ${oldExpiresAt.toISOString()}.`,
  );
}

async function revoke(
  { db, actor }: Work,
  { print }: CommandTools,
  keyId: KeyId,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  await revokeKey(db, actor, { publisherId: publisher, keyId }, systemClock.now());
  print(
    json
      ? JSON.stringify({ keyId, revoked: true })
      : `Revoked ${keyId}. All processes reject it within five seconds.`,
  );
}

const state = ({ revokedAt, expiresAt }: ListedKey, now: Date): string =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'active';

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

function readHours(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (hours < 1 || hours > maxOverlapHours)
    throw new InvalidArgumentError(`It must be a whole number of hours from 1 to ${maxOverlapHours}.`);
  return hours;
}

/** Parses a timestamp or a day. A day means its start in UTC. */
function readDate(text: string): Date {
  const ms = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (ms === null)
    throw new OperatorError(
      '--expires must be a day such as 2027-01-31, or a timestamp such as 2027-01-31T12:00:00Z.',
    );
  return new Date(ms);
}
