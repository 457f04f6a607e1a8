import type { Db } from '../../platform/database/database.ts';
import type { Logo } from './read-brand.ts';
import type { ImageType } from './read-image.ts';

export interface StoredLogo extends Logo {
  image: Buffer;
}

export async function readStoredLogo(db: Db, publisherId: string): Promise<StoredLogo | null> {
  const found = await db
    .selectFrom('publisher_logo')
    .select(['hash', 'media_type', 'width', 'height', 'image'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { media_type, ...logo } = found;
  return { ...logo, type: media_type as ImageType };
}
