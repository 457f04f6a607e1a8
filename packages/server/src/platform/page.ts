import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from './database/database.ts';
import { Refusal } from './refusal.ts';
import type { Sealer } from './secrets/sealer.ts';
import { serviceSecret } from './secrets/service-secret.ts';

export interface Page<Row> {
  rows: Row[];
  /** Cursor for the next page; null on the last page. */
  nextCursor: string | null;
}

/** Position of a row in its list: the values that the list is sorted by, as text. Together, they are unique. */
export type PageKey = readonly string[];

/**
 * Identity of a list, as JSON. A cursor is valid only for the list it was created for. The identity starts with the
 * list's name, followed by everything that determines its rows and their order: publisher, filters and sort order.
 */
export type Listing = unknown;

const macBytes = 18; // a multiple of 3, so that base64 doesn't add padding bits

/**
 * Keyset pagination for long lists. Every page costs the same, and rows that exist during the whole scan are never
 * skipped or repeated. A cursor is the last row's position, signed for its list, so a caller can't forge it, use it for
 * another list, or read rows it doesn't have access to.
 */
export class Pages {
  readonly #secret: Buffer;

  /** @param secret signs the cursors; shared by all processes of an installation */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /**
   * Reads a cursor.
   * @returns the position after which the page starts; null for the first page
   * @throws Refusal InvalidCursor if the cursor was not created by this installation for this list
   */
  after(listing: Listing, cursor: string | null): PageKey | null {
    if (cursor === null) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const key = bytes.subarray(0, -macBytes);
    // Base64 decoding is lenient, so text that doesn't encode back to itself has been edited.
    if (
      bytes.length <= macBytes ||
      bytes.toString('base64url') !== cursor ||
      !timingSafeEqual(this.#mac(listing, key), bytes.subarray(-macBytes))
    )
      throw new Refusal(
        'InvalidCursor',
        'The cursor does not belong to this list. Start again without a cursor.',
      );
    return JSON.parse(key.toString());
  }

  /**
   * Creates a page from the rows that were read.
   * @param rows up to one more than `size`: the extra row shows that another page follows
   */
  cut<Row>(listing: Listing, rows: readonly Row[], size: number, keyOf: (row: Row) => PageKey): Page<Row> {
    const page = rows.slice(0, size);
    const last = page.at(-1);
    const isLast = rows.length <= size || last === undefined;
    return { rows: page, nextCursor: isLast ? null : this.cursorAt(listing, keyOf(last)) };
  }

  /** Returns the cursor for the page after a position, which need not be the position of an existing row. */
  cursorAt(listing: Listing, key: PageKey): string {
    const bytes = Buffer.from(JSON.stringify(key));
    return Buffer.concat([bytes, this.#mac(listing, bytes)]).toString('base64url');
  }

  #mac(listing: Listing, key: Buffer): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(listing))
      .update('\0')
      .update(key)
      .digest()
      .subarray(0, macBytes);
  }
}

/** Creates the pages of an installation. All of its processes accept each other's cursors. */
export const openPages = async (db: Db, sealer: Sealer): Promise<Pages> =>
  new Pages(await serviceSecret(db, 'list-cursor', sealer));
