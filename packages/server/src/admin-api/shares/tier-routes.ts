import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toTierId } from '../../platform/ids.ts';
import { closed, inputGroupId, inputName, inputPercent } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, groupQuery, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { changeTier, createTier } from './change-tier.ts';
import { listTierPage, readTier, shownTiers } from './read-tiers.ts';
import { editedVersion, percentNumber, provenanceField, versionField } from './share-schemas.ts';

const tags = ['Shares'];

const tier = Type.Object(
  {
    tierId: Type.String(),
    groupId: Type.String(),
    name: Type.String(),
    revShare: percentNumber('Share of its members.'),
    version: versionField,
    memberCount: Type.Integer({ description: 'Number of members of any status.' }),
    isCountWhole: Type.Boolean({
      description: 'False in a very large group, where the count is a lower bound.',
    }),
    provenance: provenanceField,
  },
  { title: 'ShareTier' },
);
const terms = { name: inputName, revShare: inputPercent('Share of members of the tier, in percent.') };

export function tierRoutes(app: App, { db, pages }: { db: Db; pages: Pages }): void {
  const shown = async (publisherId: string, tierId: string) => {
    const found = await readTier(db, publisherId, toTierId(tierId));
    return found && (await shownTiers(db, publisherId, [found]))[0];
  };
  app.get(
    '/publishers/:publisherId/tiers',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listShareTiers',
        summary: 'List tiers by group and name',
        tags,
        params: publisherPath,
        querystring: Type.Object({ ...groupQuery, ...pageQuery }),
        response: { 200: pageOf(tier, 'ShareTierPage'), ...adminErrors },
      },
    },
    async ({ params, query }, reply) =>
      sendJson(
        reply,
        await listTierPage(db, pages, {
          publisherId: params.publisherId,
          groupId: query.group ?? null,
          cursor: query.cursor ?? null,
          size: query.limit ?? 50,
        }),
      ),
  );
  app.post(
    '/publishers/:publisherId/tiers',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'createShareTier',
        summary: 'Create a tier',
        tags,
        params: publisherPath,
        body: Type.Object({ groupId: inputGroupId, ...terms }, closed),
        response: { 200: tier, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) =>
      sendJson(reply, await shown(publisherId, await createTier(db, actor, { ...body, publisherId }))),
  );
  app.put(
    '/publishers/:publisherId/tiers/:tierId',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'changeShareTier',
        summary: 'Change a tier',
        tags,
        params: Type.Object({ ...publisherPath.properties, tierId: Type.String({ format: 'uuid' }) }),
        body: Type.Object({ version: editedVersion, ...terms }, closed),
        response: { 200: tier, ...adminErrors },
      },
    },
    async ({ params: { publisherId, tierId }, body, actor }, reply) => {
      await changeTier(db, actor, { ...body, publisherId, tierId: toTierId(tierId) });
      return sendJson(reply, await shown(publisherId, tierId));
    },
  );
}
