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
} from './database/tables.generated.ts';

/** A new row id: UUIDv7, increasing within this process, so rows made in order sort in order. */
export const newRowId = <Id extends string = string>(): Id => v7() as Id;

const rowId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true when a text can be a row's id; the database rejects a comparison with anything else. */
export const isRowId = (text: string): boolean => rowId.test(text);

// Where a text becomes an id: one just made, or one that somebody sent. Nobody may have it; the database knows.
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

/** @throws Error for what is no row id */
export function toAttributionId(text: string): AttributionId {
  if (!isRowId(text)) throw new Error(`${text} is no row id`);
  return text as AttributionId;
}

const fromBase62 = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/** @returns `length` characters of base62, each equally likely, from the system's secure source */
export const randomBase62 = (length: number): string => fromBase62(length);

/** @returns an id of 21 characters, none of which a command line takes for the beginning of an option */
export const newPublicId = (): string => randomBase62(21);

/** No 0 and O, no 1, I and L: what is read from one screen and typed into another. */
export const readableCharacters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const fromReadable = customAlphabet(readableCharacters);

/** @returns `length` characters that nobody takes for one another, each equally likely, from the system's secure source */
export const randomReadable = (length: number): string => fromReadable(length);

const clocksDifferMs = 60_000;

/**
 * An id below, or with `later` above, those of rows made at a moment: ids begin with their time in milliseconds.
 * The clocks of machines may differ by a minute.
 */
export const rowIdFloor = (moment: Date, side: 'earlier' | 'later' = 'earlier'): string =>
  rowIdAt(new Date(moment.getTime() + (side === 'later' ? clocksDifferMs : -clocksDifferMs)));

/** The lowest id of a row made at a moment, by the clock of the machine that made it. */
export function rowIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When a row's id was made, by the clock of the machine that made it. */
export const timeOfRowId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
