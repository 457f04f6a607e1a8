import { type Static, Type } from 'typebox';
import {
  type Origin,
  origins,
  statuses,
  type TransactionStatus,
} from '../../attributions/transaction-schema.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import { groupQuery } from '../schemas.ts';
import type { StaffListing } from './staff-listing.ts';

const named = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: storable, description }));
const date = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** Which purchases: of each filter there is an index. */
export const filterQuery = {
  ...groupQuery,
  from: date('Earliest transactionDate, included.'),
  until: date('Latest transactionDate, not included.'),
  status: Type.Optional(
    Type.Array(Type.String({ enum: statuses.map((status) => status.toLowerCase()) }), {
      'x-case-insensitive': true,
      description: 'One or more, repeated or with commas, in any case; all when absent.',
    }),
  ),
  origin: Type.Optional(
    Type.Array(Type.String({ enum: [...origins] }), {
      description: 'One or more, repeated or with commas; all when absent.',
    }),
  ),
  creator: named("The credited creator, by the account's id."),
  code: named('Exactly this code, in any case. Wins over creator.'),
  transactionId: named('Exactly this purchase.'),
  sort: Type.Optional(
    Type.String({
      enum: ['newest', 'oldest'],
      default: 'newest',
      description: 'By transactionDate: which first.',
    }),
  ),
};

const filters = Type.Object(filterQuery);

/** What a query asks for. */
export function toListing(
  publisherId: string,
  query: Static<typeof filters>,
  pageSize: number,
): StaffListing {
  return {
    publisherId,
    groupId: query.group ?? null,
    from: asDate(query.from),
    until: asDate(query.until),
    origins: (query.origin ?? []) as Origin[],
    statuses: (query.status ?? []).map(asStatus),
    memberId: query.creator ?? null,
    code: query.code ?? null,
    transactionId: query.transactionId ?? null,
    direction: query.sort === 'oldest' ? 'asc' : 'desc',
    pageSize,
  };
}

const asStatus = (sent: string): TransactionStatus =>
  statuses.find((status) => status.toLowerCase() === sent) ?? 'Normal';

/** A timestamp that passed its schema. */
function asDate(sent: string | undefined): Date | null {
  const ms = sent === undefined ? null : parseTimestamp(sent);
  return ms === null ? null : new Date(ms);
}
