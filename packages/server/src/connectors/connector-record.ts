import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { mistakesIn } from '../platform/http/schemas/validation.ts';
import { joinMistakes, Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { versionOf } from '../platform/version.ts';
import { polledProviderOf, providerOf } from './providers/all-providers.ts';
import { type ConnectorSettings, connectorSettings } from './settings.ts';

export interface ConnectorKey {
  publisherId: string;
  connectorId: string;
}

export interface Connector extends ConnectorKey {
  name: string;
  provider: string;
  /** Group that purchases are recorded in; null for the default group. */
  groupId: string | null;
  settings: ConnectorSettings;
  hasSecret: boolean;
  /** Start of a change of the secret, during which both secrets are accepted; null if none is in progress. */
  rotationStartedAt: Date | null;
  createdAt: Date;
  pausedAt: Date | null;
  /** Latest request without a valid signature, and the reason. */
  refused: { at: Date; reason: string } | null;
  /** First request without a valid signature since the latest one with a valid signature; null if that was the latest one. */
  refusedSince: Date | null;
  /** Latest time at which the provider's question was answered. */
  answeredAt: Date | null;
  /** State of the polls of a provider that sends no events; null for other providers. */
  poll: PollState | null;
  version: string;
}

export interface PollState {
  /** Latest successful poll. */
  polledAt: Date | null;
  /** Next poll, or the end of the lease while one runs; null if it is due, or if the connector has no key or is paused. */
  nextAt: Date | null;
  /** Failures since the latest successful poll; null if it was the latest one. */
  failing: { since: Date; times: number; problem: string } | null;
}

export interface ConnectorRow {
  publisher_id: string;
  connector_id: string;
  name: string;
  provider: string;
  group_id: string | null;
  settings: string;
  secret: string | null;
  previous_secret: string | null;
  rotation_started_at: Date | null;
  created_at: Date;
  paused_at: Date | null;
  refused_at: Date | null;
  refused_for: string | null;
  answered_at: Date | null;
  refused_since: Date | null;
  next_poll_at: Date | null;
  polled_at: Date | null;
  reported_until: Date | null;
  poll_from: Date | null;
  poll_failing_since: Date | null;
  poll_failures: number;
  poll_problem: string | null;
}

export const connectorColumns = [
  'publisher_id',
  'connector_id',
  'name',
  'provider',
  'group_id',
  'settings',
  'secret',
  'previous_secret',
  'rotation_started_at',
  'created_at',
  'paused_at',
  'refused_at',
  'refused_for',
  'answered_at',
  'refused_since',
  'next_poll_at',
  'polled_at',
  'reported_until',
  'poll_from',
  'poll_failing_since',
  'poll_failures',
  'poll_problem',
] as const;

export const settingsOf = (row: Pick<ConnectorRow, 'settings'>): ConnectorSettings =>
  JSON.parse(row.settings) as ConnectorSettings;

export function toConnector(row: ConnectorRow): Connector {
  const { refused_at, refused_for } = row;
  const settings = settingsOf(row);
  return {
    publisherId: row.publisher_id,
    connectorId: row.connector_id,
    name: row.name,
    provider: row.provider,
    groupId: row.group_id,
    settings,
    hasSecret: row.secret !== null,
    rotationStartedAt: row.rotation_started_at,
    createdAt: row.created_at,
    pausedAt: row.paused_at,
    refused: refused_at === null ? null : { at: refused_at, reason: refused_for ?? '' },
    refusedSince: row.refused_since,
    answeredAt: row.answered_at,
    poll: polledProviderOf(row.provider) === null ? null : pollStateOf(row),
    version: versionOf([row.name, row.group_id, settings]),
  };
}

const pollStateOf = (row: ConnectorRow): PollState => ({
  polledAt: row.polled_at,
  nextAt: row.next_poll_at,
  failing:
    row.poll_failing_since === null
      ? null
      : { since: row.poll_failing_since, times: row.poll_failures, problem: row.poll_problem ?? '' },
});

/** Reads a connector that wasn't removed. @throws Refusal NotFound */
export async function readConnectorRow(
  db: Db | Tx,
  { publisherId, connectorId }: ConnectorKey,
): Promise<ConnectorRow> {
  const row = await db
    .selectFrom('connector')
    .select(connectorColumns)
    .where('publisher_id', '=', publisherId)
    .where('connector_id', '=', connectorId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw noSuchConnector({ publisherId, connectorId });
  return row;
}

export const readConnector = async (db: Db, key: ConnectorKey): Promise<Connector> =>
  toConnector(await readConnectorRow(db, key));

export const noSuchConnector = ({ publisherId, connectorId }: ConnectorKey): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no connector ${connectorId}.`);

export const connectorTarget = ({ connectorId }: Pick<ConnectorKey, 'connectorId'>): string =>
  `connector:${connectorId}`;

export const secretPlace = ({ publisherId, connectorId }: ConnectorKey): readonly string[] => [
  'connector',
  publisherId,
  connectorId,
];

/** Opens the secrets that a connector accepts, the newest first. */
export const openSecrets = (sealer: Sealer, row: ConnectorRow): string[] => {
  const place = secretPlace({ publisherId: row.publisher_id, connectorId: row.connector_id });
  return [row.secret, row.previous_secret].flatMap((sealed) =>
    sealed === null ? [] : [sealer.open(sealed, place)],
  );
};

/** Minimum length of a signing secret, which a provider generates. */
const minSecret = 8;
const maxSecret = 500;

/** @throws Refusal InvalidInput */
export function requireSecret(secret: string): string {
  const trimmed = secret.trim();
  if (trimmed.length < minSecret || trimmed.length > maxSecret)
    throw new Refusal(
      'InvalidInput',
      `The signing secret must have ${minSecret} to ${maxSecret} characters. Copy it from the provider.`,
      { path: ['secret'] },
    );
  return trimmed;
}

/** @throws Refusal InvalidInput */
export function requireSettings(provider: string, sent: unknown): ConnectorSettings {
  const mistakes = mistakesIn(connectorSettings, sent);
  if (mistakes.length > 0)
    throw new Refusal('InvalidInput', `The settings are invalid: ${joinMistakes(mistakes)}`, {
      path: ['settings'],
    });
  const settings = sent as ConnectorSettings;
  const { signed } = settings.generic ?? {};
  if (signed !== undefined && !isSignedText(signed))
    throw new Refusal(
      'InvalidInput',
      'The signed text must contain {body} once, and no other placeholder than {t}.',
      { path: ['settings', 'generic', 'signed'] },
    );
  const foreign = foreignSetting(providerOf(provider).id, settings);
  if (foreign !== null)
    throw new Refusal('InvalidInput', `${foreign} is not a setting of this provider.`, {
      path: ['settings', foreign],
    });
  const missing = polledProviderOf(provider)?.requiredSettings.find(
    ({ name }) => settings[name] === undefined,
  );
  if (missing !== undefined)
    throw new Refusal('InvalidInput', `${missing.label} is required.`, { path: ['settings', missing.name] });
  return settings;
}

/** Returns whether a text has its body once. Another placeholder, such as `{time}`, would be signed as it is. */
const isSignedText = (signed: string): boolean =>
  signed.split('{body}').length === 2 && !/[{}]/.test(signed.replace('{body}', '').replaceAll('{t}', ''));

const owners: Readonly<Record<string, string>> = {
  stripeSales: 'stripe',
  isShopAddress: 'xsolla',
  steamAppId: 'steam',
  generic: 'generic',
};

/** Settings that name fields of an event. A report of orders has no such fields. */
const fieldNames: readonly string[] = ['codeField', 'playerField', 'transactionField'];

const foreignSetting = (provider: string, settings: ConnectorSettings): string | null =>
  Object.keys(settings).find(
    (name) =>
      (owners[name] ?? provider) !== provider ||
      (polledProviderOf(provider) !== null && fieldNames.includes(name)),
  ) ?? null;
