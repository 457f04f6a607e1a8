import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toTierId } from '../../platform/ids.ts';
import { closed, inputGroupId, inputName, inputPercent } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { changeTier } from '../../revenue-shares/tiers/change-tier.ts';
import { createTier } from '../../revenue-shares/tiers/create-tier.ts';
import { readTier } from '../../revenue-shares/tiers/read-tiers.ts';
import { adminOperations } from '../admin-operations.ts';
import { provenanceField } from '../provenance.ts';
import { requireFound } from '../require-found.ts';
import { editedVersion, groupQuery, pageOf, pageQuery, versionField } from '../schemas.ts';
import { listTiers, shownTiers } from './list-tiers.ts';
import { percentNumber } from './share-schemas.ts';

const tier = Type.Object(
  {
    tierId: Type.String(),
    groupId: Type.String(),
    name: Type.String(),
    revShare: percentNumber('Share for members of the tier.'),
    version: versionField,
    memberCount: Type.Integer({ description: 'Number of members with any status.' }),
    isCountWhole: Type.Boolean({
      description: 'False in a very large group, where the count is a lower bound.',
    }),
    provenance: provenanceField,
  },
  { title: 'ShareTier' },
);
const terms = { name: inputName, revShare: inputPercent('Share for members of the tier, in percent.') };

export function tierRoutes(app: App, { db, pages }: { db: Db; pages: Pages }): void {
  const { operation } = adminOperations(app, 'Shares');
  const shown = async (publisherId: string, tierId: string) => {
    const found = await readTier(db, publisherId, toTierId(tierId));
    return requireFound(found && (await shownTiers(db, publisherId, [found]))[0], 'The tier');
  };
  operation(
    ['get', '/publishers/:publisherId/tiers', 'listShareTiers'],
    {
      may: 'read',
      summary: 'List tiers by group and name',
      query: { ...groupQuery, ...pageQuery },
      answer: pageOf(tier, 'ShareTierPage'),
    },
    ({ params, query }) =>
      listTiers(db, pages, {
        publisherId: params.publisherId,
        groupId: query.group ?? null,
        cursor: query.cursor ?? null,
        size: query.limit ?? 50,
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/tiers', 'createShareTier'],
    {
      may: 'program',
      summary: 'Create a tier',
      body: Type.Object({ groupId: inputGroupId, ...terms }, closed),
      answer: tier,
    },
    async ({ params: { publisherId }, body, actor }) =>
      await shown(publisherId, await createTier(db, actor, { ...body, publisherId })),
  );
  operation(
    ['put', '/publishers/:publisherId/tiers/:tierId', 'changeShareTier'],
    {
      may: 'program',
      summary: 'Change a tier',
      path: { tierId: Type.String({ format: 'uuid' }) },
      body: Type.Object({ version: editedVersion, ...terms }, closed),
      answer: tier,
    },
    async ({ params: { publisherId, tierId }, body, actor }) => {
      await changeTier(db, actor, { ...body, publisherId, tierId: toTierId(tierId) });
      return await shown(publisherId, tierId);
    },
  );
}
