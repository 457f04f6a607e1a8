import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { versionOf } from '../../platform/version.ts';
import type { ImageType } from './read-image.ts';

/** Information about a logo, without its bytes. */
export interface Logo {
  hash: string;
  type: ImageType;
  width: number;
  height: number;
}

export interface Brand {
  name: string;
  /** Null for the product's own color. */
  accent: string | null;
  /** Address with `{code}` that codes are shared with; null for none. */
  codeLink: string | null;
  logo: Logo | null;
  version: string;
}

/** Reads how a publisher appears in emails and in the portal. */
export async function readBrand(db: Db | Tx, publisherId: string): Promise<Brand> {
  const {
    name,
    accent,
    code_link: codeLink,
  } = await db
    .selectFrom('publisher')
    .select(['name', 'accent', 'code_link'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  const logo = await readLogo(db, publisherId);
  return { name, accent, codeLink, logo, version: versionOf([accent, codeLink, logo?.hash ?? null]) };
}

export async function readLogo(db: Db | Tx, publisherId: string): Promise<Logo | null> {
  const found = await db
    .selectFrom('publisher_logo')
    .select(['hash', 'media_type', 'width', 'height'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { media_type, ...logo } = found;
  return { ...logo, type: media_type as ImageType };
}

const endings: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** Logo's file name, which changes with its content. */
export const logoName = ({ hash, type }: Logo): string => `${hash}.${endings[type]}`;

export const logoPath = (publisherId: string, logo: Logo): string =>
  `/logos/${publisherId}/${logoName(logo)}`;
