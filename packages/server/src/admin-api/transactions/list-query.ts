import { type Static, Type } from 'typebox';
import {
  type Origin,
  origins,
  statuses,
  type TransactionStatus,
} from '../../attributions/transaction-schema.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { Refusal } from '../../platform/refusal.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import { currencyCode, groupQuery } from '../schemas.ts';
import type { StaffListing } from './staff-listing.ts';

const exactly = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: storable, description }));
const date = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/**
 * Maximum number of days between `from` and `until` when filtering by currency. No index includes the
 * currency, so every row of those days may have to be read.
 */
const maxDaysOfCurrency = 7;
/** A day on which clocks go back has an hour more. */
const hourMs = 3_600_000;

/** Query parameters that filter purchases. Each filter has an index, except the currency. */
export const filterQuery = {
  ...groupQuery,
  from: date('Start of the range, by transactionDate.'),
  until: date('End of the range (exclusive), by transactionDate.'),
  status: Type.Optional(
    Type.Array(Type.String({ enum: statuses.map((status) => status.toLowerCase()) }), {
      'x-case-insensitive': true,
      description:
        'One or more statuses, as a repeated parameter or separated by commas. Case-insensitive. The default is all.',
    }),
  ),
  origin: Type.Optional(
    Type.Array(Type.String({ enum: [...origins] }), {
      description: 'One or more origins, as a repeated parameter or separated by commas. The default is all.',
    }),
  ),
  creator: exactly('Account id of the credited creator.'),
  code: exactly('Credited code. Case-insensitive. Overrides `creator`.'),
  transactionId: exactly('Id of the purchase.'),
  payout: Type.Optional(
    Type.String({
      format: 'uuid',
      description: "Id of a payout: the purchases that a creator's payment in it pays. Requires `creator`.",
    }),
  ),
  currency: Type.Optional(
    currencyCode(`Currency. Requires \`from\` and \`until\`, at most ${maxDaysOfCurrency} days apart.`),
  ),
  sort: Type.Optional(
    Type.String({
      enum: ['newest', 'oldest'],
      default: 'newest',
      description: 'Order by transactionDate.',
    }),
  ),
};

const filters = Type.Object(filterQuery);

export function toListing(
  publisherId: string,
  query: Static<typeof filters>,
  pageSize: number,
): StaffListing {
  const [from, until] = [asDate(query.from), asDate(query.until)];
  if (query.currency !== undefined && !isShort(from, until))
    throw new Refusal(
      'InvalidInput',
      `Purchases can be filtered by currency only for up to ${maxDaysOfCurrency} days. Set from and until.`,
    );
  if (query.payout !== undefined && (query.creator === undefined || query.code !== undefined))
    throw new Refusal(
      'InvalidInput',
      'Purchases can be filtered by payout only for one creator. Set creator, and not code.',
    );
  return {
    publisherId,
    groupId: query.group ?? null,
    from,
    until,
    origins: (query.origin ?? []) as Origin[],
    statuses: (query.status ?? []).map(asStatus),
    memberId: query.creator ?? null,
    code: query.code ?? null,
    transactionId: query.transactionId ?? null,
    payoutId: query.payout ?? null,
    rowIds: [],
    currency: query.currency ?? null,
    direction: query.sort === 'oldest' ? 'asc' : 'desc',
    pageSize,
  };
}

const isShort = (from: Date | null, until: Date | null): boolean =>
  from !== null && until !== null && +until - +from <= maxDaysOfCurrency * 86_400_000 + hourMs;

const asStatus = (sent: string): TransactionStatus =>
  statuses.find((status) => status.toLowerCase() === sent) ?? 'Normal';

/** Parses a timestamp that the schema has validated. */
function asDate(sent: string | undefined): Date | null {
  const ms = sent === undefined ? null : parseTimestamp(sent);
  return ms === null ? null : new Date(ms);
}
