import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed, inputGroupId, inputPercent } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, groupQuery, nullable, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { changeSkuShare, removeSkuShare } from './change-sku-share.ts';
import { listSkuShares, readSkuShare, shownSkuShares } from './read-sku-shares.ts';
import { editedVersion, percentNumber, provenanceField, versionField } from './share-schemas.ts';

const tags = ['Shares'];

const skuShare = Type.Object(
  {
    groupId: Type.String(),
    skuId: Type.String(),
    revShare: percentNumber('Share of purchases of the SKU, over tiers and schedules.'),
    version: versionField,
    provenance: provenanceField,
  },
  { title: 'SkuShare' },
);
const key = {
  groupId: inputGroupId,
  skuId: Type.String({ minLength: 1, maxLength: 255, pattern: storable }),
};

export function skuShareRoutes(app: App, { db, pages }: { db: Db; pages: Pages }): void {
  app.get(
    '/publishers/:publisherId/sku-shares',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listSkuShares',
        summary: 'List the shares of SKUs',
        tags,
        params: publisherPath,
        querystring: Type.Object({ ...groupQuery, ...pageQuery }),
        response: { 200: pageOf(skuShare, 'SkuSharePage'), ...adminErrors },
      },
    },
    async ({ params, query }, reply) =>
      sendJson(
        reply,
        await listSkuShares(db, pages, {
          publisherId: params.publisherId,
          groupId: query.group ?? null,
          cursor: query.cursor ?? null,
          size: query.limit ?? 50,
        }),
      ),
  );
  app.put(
    '/publishers/:publisherId/sku-shares',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'putSkuShare',
        summary: 'Set the share of a SKU',
        tags,
        params: publisherPath,
        body: Type.Object(
          {
            ...key,
            version: nullable(editedVersion),
            revShare: inputPercent('Share of the SKU, in percent.'),
          },
          closed,
        ),
        response: { 200: skuShare, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      const changed = { ...body, publisherId };
      await changeSkuShare(db, actor, changed);
      const found = await readSkuShare(db, changed);
      return sendJson(reply, found && (await shownSkuShares(db, publisherId, [found]))[0]);
    },
  );
  app.post(
    '/publishers/:publisherId/sku-shares/remove',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'removeSkuShare',
        summary: 'Remove the share of a SKU',
        description:
          'Later purchases of the SKU earn by the other rules. The SKU is in the body because it can have any characters.',
        tags,
        params: publisherPath,
        body: Type.Object({ ...key, version: editedVersion }, closed),
        response: {
          200: Type.Object({ skuId: Type.String() }, { title: 'RemovedSkuShare' }),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      await removeSkuShare(db, actor, { ...body, publisherId });
      return sendJson(reply, { skuId: body.skuId });
    },
  );
}
