import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { listTags } from '../../members/tags/list-tags.ts';
import { setTagRemoved } from '../../members/tags/remove-tag.ts';
import { renameTag } from '../../members/tags/rename-tag.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, versionField } from '../schemas.ts';
import { tagNameField } from './member-schemas.ts';

const tags = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        {
          tagId: Type.String(),
          name: Type.String(),
          creatorCount: Type.Integer({ description: 'Number of creators with the tag, of any status.' }),
          version: versionField,
        },
        { title: 'CreatorTag' },
      ),
    ),
  },
  { title: 'CreatorTags' },
);

const removedTag = Type.Object(
  { name: Type.String(), creatorCount: Type.Integer() },
  { title: 'RemovedCreatorTag' },
);

const path = { tagId: Type.String({ minLength: 1, maxLength: 64 }) };

export function tagRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  const list = async (publisherId: string) => ({ rows: await listTags(db, publisherId) });
  operation(
    ['get', '/publishers/:publisherId/tags', 'listCreatorTags'],
    {
      may: 'read',
      summary: 'List creator tags by name',
      description: 'A publisher has at most 200 tags, and a creator at most 20.',
      answer: tags,
    },
    ({ params }) => list(params.publisherId),
  );
  operation(
    ['patch', '/publishers/:publisherId/tags/:tagId', 'renameCreatorTag'],
    {
      may: 'members',
      summary: 'Rename a creator tag',
      path,
      body: Type.Object(
        { version: editedVersion, name: tagNameField },
        { ...closed, title: 'CreatorTagChange' },
      ),
      answer: tags,
    },
    async ({ params, body, actor }) => {
      await renameTag(db, actor, { ...params, ...body });
      return await list(params.publisherId);
    },
  );
  operation(
    ['delete', '/publishers/:publisherId/tags/:tagId', 'removeCreatorTag'],
    {
      may: 'members',
      summary: 'Remove a tag from all creators',
      description: 'It can be restored for ten minutes.',
      path,
      answer: removedTag,
    },
    ({ params, actor }) => setTagRemoved(db, actor, params, true),
  );
  operation(
    ['post', '/publishers/:publisherId/tags/:tagId/restore', 'restoreCreatorTag'],
    {
      may: 'members',
      summary: 'Restore a removed creator tag',
      description: 'Restores the tag for the creators who had it, if it was removed in the last ten minutes.',
      path,
      answer: removedTag,
    },
    ({ params, actor }) => setTagRemoved(db, actor, params, false),
  );
}
