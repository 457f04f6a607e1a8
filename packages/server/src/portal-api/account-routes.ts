import { Type } from 'typebox';
import { accentShades } from '../platform/colors.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { oneOf, time } from '../platform/http/schemas/fields.ts';
import type { Portal } from '../portal/create-portal.ts';
import { proofs, readOwnAccounts, readPublishersOf } from '../portal/own-accounts.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { logoPath, readBrand } from '../publishers/brand/read-brand.ts';
import { portalOperations } from './portal-operations.ts';
import { brandedPublisher } from './schemas.ts';

const account = Type.Object(
  {
    accountId: Type.String(),
    name: Type.String(),
    proof: oneOf(proofs, {
      title: 'Proof',
      description:
        'invitation: a publisher invited the person to the account. auth-code: the person typed an auth code of the account. application: the person applied to a group, and the account was created for it. provider: the person signed in with the provider account that a publisher named.',
    }),
    provenAt: time('When the account was connected.'),
    publishers: Type.Array(brandedPublisher, { description: 'Publishers of the account, by name.' }),
  },
  { title: 'CreatorAccount' },
);

export function accountRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Accounts');
  operation(
    ['get', '/accounts', 'listAccounts'],
    {
      of: 'signed-in',
      summary: 'List the creator accounts of the signed-in person, with their publishers',
      description: 'The publishers are the values for the parameter `publisher` of the other operations.',
      answer: Type.Object({ rows: Type.Array(account) }, { title: 'CreatorAccounts' }),
    },
    async (request) => {
      const accounts = await readOwnAccounts(portal.db, sessionOf(request).userId);
      const publishers = await readPublishersOf(
        portal.db,
        accounts.map(({ accountId }) => accountId),
      );
      const ids = [...publishers.values()].flatMap((found) => found.map(({ publisherId }) => publisherId));
      const brands = await readBrands(portal.db, ids);
      return {
        rows: accounts.map((each) => ({
          ...each,
          publishers: (publishers.get(each.accountId) ?? []).map((publisher) => ({
            ...publisher,
            ...(brands.get(publisher.publisherId) ?? noBrand),
          })),
        })),
      };
    },
  );
}

const noBrand = { logoPath: null, accent: null };

/** Reads the logos and accents of a person's publishers. */
async function readBrands(db: Db, publisherIds: readonly string[]) {
  const brands = new Map<
    string,
    { logoPath: string | null; accent: ReturnType<typeof accentShades> | null }
  >();
  for (const publisherId of new Set(publisherIds)) {
    const { accent, logo } = await readBrand(db, publisherId);
    brands.set(publisherId, {
      logoPath: logo && logoPath(publisherId, logo),
      accent: accent === null ? null : accentShades(accent),
    });
  }
  return brands;
}
