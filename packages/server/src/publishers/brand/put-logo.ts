import { createHash } from 'node:crypto';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { checkLogo } from './check-logo.ts';
import { readLogo } from './read-brand.ts';

/**
 * Sets or removes a publisher's logo. The old logo is no longer served.
 * @param logo base64 of an image; null to remove the logo
 * @throws Refusal InvalidInput
 */
export async function putLogo(tx: Tx, actor: Actor, publisherId: string, logo: string | null): Promise<void> {
  const before = await readLogo(tx, publisherId);
  const checked = logo === null ? null : checkLogo(logo);
  if (checked === null) {
    if (before === null) return;
    await tx.deleteFrom('publisher_logo').where('publisher_id', '=', publisherId).execute();
  } else {
    const { bytes, type, width, height } = checked;
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    if (before?.hash === hash) return;
    const row = { hash, media_type: type, width, height, image: bytes };
    await tx
      .insertInto('publisher_logo')
      .values({ publisher_id: publisherId, ...row })
      .onConflict((conflict) => conflict.column('publisher_id').doUpdateSet(row))
      .execute();
  }
  await recordChange(tx, actor, {
    publisherId,
    action: 'publisher.put-logo',
    target: `publisher:${publisherId}`,
    before: { logo: before },
    after: { logo: await readLogo(tx, publisherId) },
  });
}

/** Copies a live publisher's logo to its new sandbox. */
export async function copyLogo(tx: Tx, from: string, to: string): Promise<void> {
  const found = await tx
    .selectFrom('publisher_logo')
    .select(['hash', 'media_type', 'width', 'height', 'image'])
    .where('publisher_id', '=', from)
    .executeTakeFirst();
  if (found !== undefined)
    await tx
      .insertInto('publisher_logo')
      .values({ publisher_id: to, ...found })
      .execute();
}
