import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { requireVisible } from '../platform/inputs.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import {
  type Connector,
  type ConnectorKey,
  connectorTarget,
  readConnectorRow,
  requireSettings,
  toConnector,
} from './connector-record.ts';
import { nameTaken } from './create-connector.ts';
import { requireGroup } from './require-group.ts';
import type { ConnectorSettings } from './settings.ts';

export interface ConnectorChanges extends ConnectorKey {
  /** Absent fields don't change. */
  name?: string | undefined;
  groupId?: string | null | undefined;
  settings?: unknown;
  isPaused?: boolean | undefined;
  /** Version that the actor saw; absent if stale edits aren't detected. */
  version?: string | undefined;
}

/**
 * Changes a connector. While it is paused, events are stored, and worked on when it continues.
 * @throws Refusal InvalidInput, NotFound, Conflict, Stale
 */
export const changeConnector = (
  { db, now }: { db: Db; now: Date },
  actor: Actor,
  changes: ConnectorChanges,
): Promise<Connector> =>
  inTransaction(db, (tx) => updateConnector(tx, actor, changes, now)).catch((error) => {
    throw violatedConstraint(error) === 'connector_name' ? nameTaken(changes.name ?? '') : error;
  });

/** Changes a connector in a transaction, as `changeConnector` does. */
export async function updateConnector(
  tx: Tx,
  actor: Actor,
  { publisherId, connectorId, version, ...changes }: ConnectorChanges,
  now: Date,
): Promise<Connector> {
  const key = { publisherId, connectorId };
  if (changes.name !== undefined) requireVisible(changes.name, ['name']);
  await tx
    .selectFrom('connector')
    .select('connector_id')
    .where('publisher_id', '=', publisherId)
    .where('connector_id', '=', connectorId)
    .forUpdate()
    .execute();
  const before = toConnector(await readConnectorRow(tx, key));
  refuseStaleEdit('The connector', version, before.version);
  const settings =
    changes.settings === undefined ? before.settings : requireSettings(before.provider, changes.settings);
  const groupId = changes.groupId === undefined ? before.groupId : changes.groupId;
  if (groupId !== before.groupId) await requireGroup(tx, publisherId, groupId);
  const name = changes.name ?? before.name;
  const pausedAt =
    changes.isPaused === undefined ? before.pausedAt : changes.isPaused ? (before.pausedAt ?? now) : null;
  const isOtherReport = reportOf(settings) !== reportOf(before.settings);
  await tx
    .updateTable('connector')
    .set({
      ...{ name, group_id: groupId, settings: JSON.stringify(settings), paused_at: pausedAt },
      ...((isOtherReport || pausedAt !== before.pausedAt) && { next_poll_at: null }),
      ...(isOtherReport && { reported_until: null, poll_from: null }),
    })
    .where('publisher_id', '=', publisherId)
    .where('connector_id', '=', connectorId)
    .execute();
  const after = toConnector(await readConnectorRow(tx, key));
  if (JSON.stringify(factsOf(after)) !== JSON.stringify(factsOf(before)))
    await recordChange(tx, actor, {
      publisherId,
      action: 'connector.change',
      target: connectorTarget(key),
      before: factsOf(before),
      after: factsOf(after),
    });
  return after;
}

/** Returns what tells a provider's reports apart. */
const reportOf = ({ steamAppId, isTestAccount = false }: ConnectorSettings): string =>
  `${steamAppId} ${isTestAccount}`;

const factsOf = ({ name, groupId, settings, pausedAt }: Connector) => ({
  name,
  group: groupId,
  settings,
  paused: pausedAt !== null,
});
