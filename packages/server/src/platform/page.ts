import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from './database/database.ts';
import { Refusal } from './refusal.ts';
import type { Sealer } from './secrets/sealer.ts';
import { serviceSecret } from './secrets/service-secret.ts';

/** One page of a long list. */
export interface Page<Row> {
  rows: Row[];
  /** The cursor of the page after it; null on the last. */
  nextCursor: string | null;
}

/** A row's place in the order of its list, as texts: what the list is ordered by, down to what is unique. */
export type PageKey = readonly string[];

/**
 * Identity of a list, to which its cursors are bound, as JSON: the list's name first, then its publisher, filters and order:
 * all that decides which rows it has and in which order.
 */
export type Listing = unknown;

const macBytes = 18; // with no bits to spare in base64, whatever stands before it is checked to come back the same

/**
 * Keyset pages of lists that can be long: a page costs the same wherever it is, and no page skips or repeats a row that
 * was there throughout. A cursor is the last row's place, signed for its list, so that nobody can make one up, move it
 * to another list or read past what they may see.
 */
export class Pages {
  readonly #secret: Buffer;

  /** @param secret shared by the processes of an installation */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /**
   * @returns the place after which the page begins; null for the first page
   * @throws Refusal InvalidCursor for one that was not made here for this list
   */
  after(listing: Listing, cursor: string | null): PageKey | null {
    if (cursor === null) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const key = bytes.subarray(0, -macBytes);
    // Decoding forgives much; what does not come back the same was edited.
    if (
      bytes.length <= macBytes ||
      bytes.toString('base64url') !== cursor ||
      !timingSafeEqual(this.#mac(listing, key), bytes.subarray(-macBytes))
    )
      throw new Refusal('InvalidCursor', 'The cursor is not one of this list; begin again without one.');
    return JSON.parse(key.toString());
  }

  /**
   * Makes a page of the rows that were read.
   * @param rows up to one more than the page's size, so that it is known whether another page follows
   */
  cut<Row>(listing: Listing, rows: readonly Row[], size: number, keyOf: (row: Row) => PageKey): Page<Row> {
    const page = rows.slice(0, size);
    const last = page.at(-1);
    const isLast = rows.length <= size || last === undefined;
    return { rows: page, nextCursor: isLast ? null : this.cursorAt(listing, keyOf(last)) };
  }

  /** Writes the cursor of the page that begins after a place, where no row has to be. */
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

/** The pages of an installation: a cursor that one of its processes made is read by all. */
export const openPages = async (db: Db, sealer: Sealer): Promise<Pages> =>
  new Pages(await serviceSecret(db, 'list-cursor', sealer));
