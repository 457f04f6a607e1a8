import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { countOpenApplications } from '../../members/applications/read-applications.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputGroupId } from '../../platform/inputs.ts';
import { applicationsInput } from '../../publishers/applications/applications-input.ts';
import {
  changeApplications,
  readGroupApplications,
} from '../../publishers/applications/change-applications.ts';
import { listTerms, readTerms } from '../../publishers/applications/list-terms.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, time, versionField } from '../schemas.ts';

const listedTerms = {
  version: Type.Integer({ description: 'Numbered from 1.' }),
  sha256: Type.String({ description: 'SHA-256 of the text in UTF-8, as hexadecimal digits.' }),
  createdAt: time('When the version was created.'),
};
const terms = Type.Object({ ...listedTerms, text: Type.String() }, { title: 'GroupTerms' });

const applications = Type.Object(
  {
    isOpen: Type.Boolean({ description: 'True if creators can apply in the portal.' }),
    maxPending: Type.Integer({ description: 'Maximum number of undecided applications.' }),
    reservedCodes: Type.Array(Type.String(), { description: 'Codes that no applicant gets, in lower case.' }),
    terms: nullable(terms),
    undecided: Type.Integer({ description: 'Number of undecided applications.' }),
    url: nullable(
      Type.String({
        description: 'Page on which creators apply; null if the portal is off, and in a sandbox.',
      }),
    ),
    version: versionField,
  },
  { title: 'GroupApplications' },
);

/** Registers the settings of a group's applications, and the versions of its terms. */
export function applicationRoutes(app: App, { database: { db }, portal }: Service): void {
  const { operation } = adminOperations(app, 'Shares');
  const path = { groupId: inputGroupId };
  const show = async (group: { publisherId: string; groupId: string }) => {
    const settings = await readGroupApplications(db, group);
    const isReachable = portal.url !== null && (await liveOf(db, group.publisherId)) === null;
    return {
      ...settings,
      undecided: await countOpenApplications(db, group),
      url: isReachable ? `${portal.url}/apply/${group.publisherId}/${group.groupId}` : null,
    };
  };
  operation(
    ['get', '/publishers/:publisherId/groups/:groupId/applications', 'getGroupApplications'],
    {
      may: 'read',
      summary: 'Get the settings of a group’s applications',
      path,
      answer: applications,
    },
    ({ params }) => show(params),
  );
  operation(
    ['put', '/publishers/:publisherId/groups/:groupId/applications', 'putGroupApplications'],
    {
      may: 'program',
      summary: 'Open or close a group for applications, or change its terms',
      description:
        'Absent settings do not change. A changed text of the terms is a new version. Closing a group doesn’t affect applications that were sent.',
      path,
      body: Type.Object(
        { version: editedVersion, ...applicationsInput.properties },
        { ...closed, title: 'GroupApplicationsChange' },
      ),
      answer: applications,
    },
    async ({ params, body: { version, ...settings }, actor }) => {
      await changeApplications(db, actor, { ...params, version, settings });
      return show(params);
    },
  );
  operation(
    ['get', '/publishers/:publisherId/groups/:groupId/terms', 'listGroupTerms'],
    {
      may: 'read',
      summary: 'List the versions of a group’s terms, newest first',
      description: 'At most 100.',
      path,
      answer: Type.Object(
        { rows: Type.Array(Type.Object(listedTerms, { title: 'ListedTerms' })) },
        { title: 'VersionsOfTerms' },
      ),
    },
    async ({ params }) => ({ rows: await listTerms(db, params) }),
  );
  operation(
    ['get', '/publishers/:publisherId/groups/:groupId/terms/:termsVersion', 'getGroupTerms'],
    {
      may: 'read',
      summary: 'Get one version of a group’s terms',
      path: {
        ...path,
        termsVersion: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Version of the terms.' }),
      },
      answer: terms,
    },
    ({ params: { publisherId, groupId, termsVersion } }) =>
      readTerms(db, { publisherId, groupId, version: Number(termsVersion) }),
  );
}
