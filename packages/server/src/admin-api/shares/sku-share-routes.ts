import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed, inputGroupId, inputPercent } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { changeSkuShare } from '../../revenue-shares/change-sku-share.ts';
import { readSkuShare } from '../../revenue-shares/read-sku-shares.ts';
import { removeSkuShare } from '../../revenue-shares/remove-sku-share.ts';
import { adminOperations } from '../admin-operations.ts';
import { provenanceField } from '../provenance.ts';
import { requireFound } from '../require-found.ts';
import { editedVersion, groupQuery, nullable, pageOf, pageQuery, versionField } from '../schemas.ts';
import { listSkuShares, shownSkuShares } from './list-sku-shares.ts';
import { percentNumber } from './share-schemas.ts';

const skuShare = Type.Object(
  {
    groupId: Type.String(),
    skuId: Type.String(),
    revShare: percentNumber('Share for purchases of the SKU, which overrides tiers and schedules.'),
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
  const { operation } = adminOperations(app, 'Shares');
  operation(
    ['get', '/publishers/:publisherId/sku-shares', 'listSkuShares'],
    {
      may: 'read',
      summary: 'List SKU shares',
      query: { ...groupQuery, ...pageQuery },
      answer: pageOf(skuShare, 'SkuSharePage'),
    },
    ({ params, query }) =>
      listSkuShares(db, pages, {
        publisherId: params.publisherId,
        groupId: query.group ?? null,
        cursor: query.cursor ?? null,
        size: query.limit ?? 50,
      }),
  );
  operation(
    ['put', '/publishers/:publisherId/sku-shares', 'putSkuShare'],
    {
      may: 'program',
      summary: 'Set a SKU share',
      body: Type.Object(
        {
          ...key,
          version: nullable(editedVersion),
          revShare: inputPercent('Share for the SKU, in percent.'),
        },
        closed,
      ),
      answer: skuShare,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const changed = { ...body, publisherId };
      await changeSkuShare(db, actor, changed);
      const found = await readSkuShare(db, changed);
      return requireFound(
        found && (await shownSkuShares(db, publisherId, [found]))[0],
        'The share of the SKU',
      );
    },
  );
  operation(
    ['post', '/publishers/:publisherId/sku-shares/remove', 'removeSkuShare'],
    {
      may: 'program',
      summary: 'Remove a SKU share',
      description:
        'Later purchases of the SKU earn shares under the other rules. The SKU is in the body because it can contain any characters.',
      body: Type.Object({ ...key, version: editedVersion }, closed),
      answer: Type.Object({ skuId: Type.String() }, { title: 'RemovedSkuShare' }),
    },
    async ({ params: { publisherId }, body, actor }) => {
      await removeSkuShare(db, actor, { ...body, publisherId });
      return { skuId: body.skuId };
    },
  );
}
