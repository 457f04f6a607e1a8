import { sql } from 'kysely';
import { eraseBuyerRows } from '../attributions/erase-buyer.ts';
import {
  blankFormerBuyer,
  forgetFormerBuyer,
  readRowsOfFormerBuyer,
} from '../attributions/erase-former-buyer.ts';
import type { Actor } from '../audit/actor.ts';
import { erasePlayers } from '../bounties/count/erase-players.ts';
import { forgetFirstPurchase } from '../bounties/count/forget-first-purchase.ts';
import { eraseInConnectorEvents } from '../connectors/events/end-bodies.ts';
import type { Db } from '../platform/database/database.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { rowIdAt } from '../platform/ids.ts';
import { erasePlayerCodes } from '../player-codes/erase-player-codes.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { lockOutPosting, lockOutReversals } from '../settlement/settlement-lock.ts';
import { containsAny, eraseInEvents } from '../webhooks/erase-in-events.ts';
import type { EventPayload, EventValue } from '../webhooks/event-text.ts';
import { auditedCommits, singleEntry } from './audited-commits.ts';

export interface BuyerToErase {
  publisherId: string;
  playerId: string;
  /** Reason for the audit log. It must not name the buyer. */
  reason: string | null;
  /** End of the recordings to erase from, for repeating an earlier erasure; null for everything. */
  before: Date | null;
}

/** Numbers of rows that an erasure changed. */
export interface ErasedBuyer {
  /** Rows of purchases. */
  purchases: number;
  /** Entries for the first purchase of a player. */
  firstPurchases: number;
  /** Codes that the player entered. */
  playerCodes: number;
  /** Stored custom events. */
  customEvents: number;
  /** Events of payment providers. */
  connectorEvents: number;
  /** Stored events, and with them the responses of receivers. */
  events: number;
}

/** Returns whether an erasure changed anything. */
export const changedBuyer = (erased: ErasedBuyer): boolean =>
  Object.values(erased).some((count) => count > 0);

/**
 * Erases a buyer from everything that a publisher had recorded before the call: purchases, first purchases, codes, custom
 * events and stored webhook events. Amounts, shares and credits don't change. Each commit is complete, so an erasure that was killed can be repeated,
 * and then erases the rest. A purchase that arrives later is recorded as usual.
 * @param begin called before the first change
 * @throws Refusal NotFound
 */
export async function eraseBuyer(
  db: Db,
  actor: Actor,
  { publisherId, playerId, reason, before }: BuyerToErase,
  begin: () => void = () => undefined,
): Promise<ErasedBuyer> {
  await requirePublisher(db, publisherId);
  begin();
  const endId = before === null ? null : rowIdAt(before);
  // The entry must not contain the id that is being erased.
  const target = `publisher:${publisherId}`;
  const commit = auditedCommits(db, [
    singleEntry(actor, { publisherId, action: 'buyer.erase', target, reason }),
  ]);
  const buyer = { publisherId, playerId, endId };
  const current = await eraseBuyerRows(db, commit, buyer);
  const formerRows = await readRowsOfFormerBuyer(db, buyer);
  const purchases = current + (await blankFormerBuyer(commit, publisherId, formerRows));
  // Postings and reversals that read the buyer before the rows were blanked have committed once both locks are held, so
  // neither a first purchase nor an event of theirs can be missed.
  const firstPurchases = await commit(async (tx) => {
    await lockOutPosting(tx, publisherId);
    await lockOutReversals(tx, publisherId);
    return forgetFirstPurchase(tx, { publisherId, playerId, endId });
  });
  const playerCodes = await commit((tx) => erasePlayerCodes(tx, { publisherId, playerId, before }));
  const connectorEvents = await commit((tx) => eraseInConnectorEvents(tx, { publisherId, playerId, before }));
  const customEvents = await erasePlayers(db, commit, { publisherId, playerIds: [playerId], endId });
  const events = await eraseInEvents(db, commit, {
    publisherId,
    endId,
    isSought: sql`${containsAny([playerId])} or ${isAboutRow(formerRows)}`,
    rewrite: (payload) => withoutName(withoutBuyer(payload, playerId) as EventPayload, new Set(formerRows)),
  });
  // The entries lead a repeated erasure to the rows and their events, so they are deleted last.
  await forgetFormerBuyer(commit, buyer, formerRows);
  return { purchases, firstPurchases, playerCodes, customEvents, connectorEvents, events };
}

/** Returns the condition that an event is about one of the rows. */
const isAboutRow = (rowIds: readonly AttributionId[]) => sql`(
  e.kind in ('Attribution/TransactionRecorded', 'Attribution/TransactionStatusChanged')
  and (e.event::json ->> 'id')::uuid = any(${[...rowIds]}::uuid[]))`;

/** Returns an event without the former buyer's name if it is about one of the rows. */
function withoutName(payload: EventPayload, rowIds: ReadonlySet<string>): EventPayload {
  if (typeof payload.id !== 'string' || !rowIds.has(payload.id)) return payload;
  const { playerName: _name, ...rest } = payload;
  return rest;
}

/** Returns a value without the buyer's id and name in any of its objects. */
function withoutBuyer(value: EventValue, playerId: string): EventValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutBuyer(each, playerId));
  const isTheirs = 'playerId' in value && value.playerId === playerId;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isTheirs || (name !== 'playerId' && name !== 'playerName'))
      .map(([name, each]) => [name, withoutBuyer(each, playerId)]),
  );
}
