import { type RawBuilder, sql } from 'kysely';
import { customAlphabet } from 'nanoid';
import { v7 } from 'uuid';
import type {
  AccountId,
  AttributionId,
  BountyId,
  EndpointId,
  EventId,
  KeyId,
  ObjectiveId,
  RewardId,
  ScheduleId,
  TierId,
  ViewId,
} from './database/tables.generated.ts';

/** Generates a row id: a UUIDv7 that increases within this process, so ids sort in order of creation. */
export const newRowId = <Id extends string = string>(): Id => v7() as Id;

const rowId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns whether the text has the format of a row id. PostgreSQL raises an error when an id is compared with
 * any other text.
 */
export const isRowId = (text: string): boolean => rowId.test(text);

// Casts for ids that were just generated or that a caller sent. They don't check that such a row exists.
const asId = <Id extends string>(text: string): Id => text as Id;
export const toAccountId = asId<AccountId>;
export const toBountyId = asId<BountyId>;
export const toEndpointId = asId<EndpointId>;
export const toEventId = asId<EventId>;
export const toKeyId = asId<KeyId>;
export const toObjectiveId = asId<ObjectiveId>;
export const toRewardId = asId<RewardId>;
export const toScheduleId = asId<ScheduleId>;
export const toTierId = asId<TierId>;

/** @returns null if the text doesn't have the format of a row id */
export const toViewId = (text: string): ViewId | null => (isRowId(text) ? (text as ViewId) : null);

/** @throws Error if the text isn't a row id */
export function toAttributionId(text: string): AttributionId {
  if (!isRowId(text)) throw new Error(`${text} is not a row id`);
  return text as AttributionId;
}

const fromBase62 = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/** Uses the system's secure random source. */
export const randomBase62 = (length: number): string => fromBase62(length);

/**
 * Returns a random id with 21 characters. It never starts with a dash, which the command line would interpret as an
 * option.
 */
export const newPublicId = (): string => randomBase62(21);

/** Characters for codes that people copy by hand: no 0 or O, and no 1, I or L. */
export const readableCharacters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const fromReadable = customAlphabet(readableCharacters);

/** Returns random characters that are easy to tell apart, from the system's secure random source. */
export const randomReadable = (length: number): string => fromReadable(length);

const maxClockSkewMs = 60_000;

/**
 * Returns an id that sorts below the ids of all rows created at `time`, or above them if `side` is `later`.
 * The id's time is shifted by a minute, because the clocks of different machines may differ by that much.
 */
export const rowIdFloor = (time: Date, side: 'earlier' | 'later' = 'earlier'): string =>
  rowIdAt(new Date(time.getTime() + (side === 'later' ? maxClockSkewMs : -maxClockSkewMs)));

/** Returns the lowest id that a row created at `time` can have, on the clock of the machine that created it. */
export function rowIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Builds an expression for the same id as `rowIdAt`, for a time that only the SQL statement knows. */
export const rowIdAtTime = (time: RawBuilder<unknown>): RawBuilder<string> => {
  const hex = sql`lpad(to_hex(greatest(0, floor(extract(epoch from ${time}) * 1000))::bigint), 12, '0')`;
  return sql<string>`(overlay(${hex} placing '-' from 9 for 0) || '-7000-8000-000000000000')::uuid`;
};

/** Returns the time when a row's id was generated, on the clock of the machine that generated it. */
export const timeOfRowId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
