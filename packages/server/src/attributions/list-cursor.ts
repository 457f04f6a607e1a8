import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { toAttributionId } from '../platform/ids.ts';

/** Where a page ended: the last row's place in the listing's order. */
export interface Position {
  transactionDateMs: number;
  /** UUID of the row. */
  attributionId: AttributionId;
}

const idBytes = 16;
const macBytes = 18; // 8 + 16 + 18 bytes fill whole base64 characters, so no bit of the text is idle
const length = 8 + idBytes + macBytes;

/**
 * @param listing whatever the cursor must stay bound to (publisher, group, filters, sort), as text
 * @returns a cursor that only this installation can make, and that fits this listing alone
 */
export function writeCursor(
  secret: Buffer,
  listing: string,
  { transactionDateMs, attributionId }: Position,
): string {
  const cursor = Buffer.alloc(length);
  cursor.writeBigInt64BE(BigInt(transactionDateMs));
  Buffer.from(attributionId.replaceAll('-', ''), 'hex').copy(cursor, 8);
  mac(secret, listing, cursor).copy(cursor, 8 + idBytes);
  return cursor.toString('base64url');
}

/** @returns the position, or null for a cursor that was not made here for this listing */
export function readCursor(secret: Buffer, listing: string, text: string): Position | null {
  const cursor = Buffer.from(text, 'base64url');
  // Decoding forgives much; what does not come back the same was edited.
  if (cursor.length !== length || cursor.toString('base64url') !== text) return null;
  if (!timingSafeEqual(mac(secret, listing, cursor), cursor.subarray(8 + idBytes))) return null;
  const hex = cursor.toString('hex', 8, 8 + idBytes);
  return {
    transactionDateMs: Number(cursor.readBigInt64BE()),
    attributionId: toAttributionId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
  };
}

const mac = (secret: Buffer, listing: string, cursor: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(cursor.subarray(0, 8 + idBytes))
    .update(listing)
    .digest()
    .subarray(0, macBytes);
