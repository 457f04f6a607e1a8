import type { Db } from '../../platform/database/database.ts';
import type { MailBrand } from '../../platform/mail/mail-content.ts';
import { logoPath, readBrand } from './read-brand.ts';

/**
 * Reads a publisher's branding for an email.
 * @param publicUrl PUBLIC_URL; without it, emails show the name, because mail clients couldn't load the logo
 */
export async function mailBrand(db: Db, publisherId: string, publicUrl: string | null): Promise<MailBrand> {
  const { name, accent, logo } = await readBrand(db, publisherId);
  const { width = 0, height = 0 } = logo ?? {};
  const isShown = logo !== null && publicUrl !== null;
  return {
    name,
    accent,
    logo: isShown ? { url: publicUrl + logoPath(publisherId, logo), width, height } : null,
  };
}
