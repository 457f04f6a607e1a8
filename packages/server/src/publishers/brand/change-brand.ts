import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../changing-program.ts';
import { putPublisher } from '../put-publisher.ts';
import { putLogo } from './put-logo.ts';
import { readBrand } from './read-brand.ts';

export interface BrandChange {
  publisherId: string;
  /** Version that the edit is based on. */
  version: string;
  /** Null for the product's own color; absent means no change. */
  accent?: string | null;
  /** Null for no link; absent means no change. */
  codeLink?: string | null;
  /** Base64 of an image. Null removes the logo; absent means no change. */
  logo?: string | null;
}

/** @throws Refusal Stale; InvalidInput for an accent with too little contrast or an image that isn't accepted */
export const changeBrand = (
  db: Db,
  actor: Actor,
  { publisherId, version, accent, codeLink, logo }: BrandChange,
): Promise<void> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      refuseStaleEdit('The branding', version, (await readBrand(tx, publisherId)).version);
      if (logo !== undefined) await putLogo(tx, actor, publisherId, logo);
      await putPublisher(tx, actor, {
        id: publisherId,
        ...(accent !== undefined && { accent }),
        ...(codeLink !== undefined && { codeLink }),
      });
    }),
  );
