import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { Tables } from '../../platform/database/tables.generated.ts';
import { type ConnectorRow, openSecrets, settingsOf } from '../connector-record.ts';
import { parseBody } from '../events/read-body.ts';
import { type HookAnswer, type SentRequest, type SignatureProblem, Unreadable } from '../provider.ts';
import { webhookProviderOf } from '../providers/all-providers.ts';
import { type StoreDeps, storeEvents } from './store-events.ts';

export interface Received {
  answer: HookAnswer;
  /** Reason for which the request was rejected; null if it wasn't. */
  problem: SignatureProblem | null;
  eventIds: string[];
  repeats: number;
}

const accepted: HookAnswer = { status: 200, body: JSON.stringify({ received: true }) };

/** Time between two updates of a connector's latest rejected request or handshake. */
const noteEveryMs = 5_000;

/**
 * Verifies a provider's request, and stores its events. A request without a valid signature leaves nothing but its time at the
 * connector.
 * @throws Refusal Unavailable
 */
export async function receiveRequest(
  deps: StoreDeps,
  connector: ConnectorRow,
  request: SentRequest,
): Promise<Received> {
  const { db, sealer, now } = deps;
  const provider = webhookProviderOf(connector.provider);
  if (provider === null) throw new Error(`${connector.provider} sends no requests`);
  const settings = settingsOf(connector);
  const problem = provider.verify(request, openSecrets(sealer, connector), now, settings);
  if (problem !== null) {
    if (isDue(connector.refused_at, now)) await noteRefusal(db, connector, { now, problem });
    return { answer: provider.refused(problem), problem, eventIds: [], repeats: 0 };
  }
  if (connector.refused_since !== null) await note(db, connector, { refused_since: null, refusals: 0 });
  const answer = provider.handshake(parsed(request.body), settings);
  if (answer !== null) {
    if (answer.status < 300 && isDue(connector.answered_at, now))
      await note(db, connector, { answered_at: now });
    return { answer, problem: null, eventIds: [], repeats: 0 };
  }
  return { answer: accepted, problem: null, ...(await storeEvents(deps, connector, request)) };
}

function parsed(body: Buffer): unknown {
  try {
    return parseBody(body);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const isDue = (latest: Date | null, now: Date): boolean =>
  latest === null || now.getTime() - latest.getTime() >= noteEveryMs;

/** Notes a request without a valid signature, and counts it among those since the last one with a valid signature. */
const noteRefusal = (
  db: Db | Tx,
  connector: ConnectorRow,
  { now, problem }: { now: Date; problem: SignatureProblem },
): Promise<void> =>
  note(db, connector, {
    refused_at: now,
    refused_for: problem,
    refused_since: sql<Date>`coalesce(refused_since, ${now})`,
    refusals: sql<number>`least(refusals + 1, 1000000)`,
  });

type ConnectorNote = UpdateObject<Tables, 'connector'>;

async function note(
  db: Db | Tx,
  { publisher_id, connector_id }: ConnectorRow,
  values: ConnectorNote,
): Promise<void> {
  await db
    .updateTable('connector')
    .set(values)
    .where('publisher_id', '=', publisher_id)
    .where('connector_id', '=', connector_id)
    .execute();
}
