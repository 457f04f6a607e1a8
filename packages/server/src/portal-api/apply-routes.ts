import { Type } from 'typebox';
import { wantedCodeStates } from '../members/applications/judge-wanted-code.ts';
import {
  applicationStates,
  countOpenApplications,
  daysToApplyAgain,
  daysToDecide,
} from '../members/applications/read-applications.ts';
import { accentShades } from '../platform/colors.ts';
import type { App } from '../platform/http/app-type.ts';
import { nullable, oneOf, time } from '../platform/http/schemas/fields.ts';
import { text, visible } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { apply } from '../portal/applications/apply.ts';
import { checkWantedCode } from '../portal/applications/check-wanted-code.ts';
import { listOwnApplications } from '../portal/applications/list-own-applications.ts';
import type { Portal } from '../portal/create-portal.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { findOpenGroup } from '../publishers/applications/find-open-group.ts';
import { logoPath, readBrand } from '../publishers/brand/read-brand.ts';
import { sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';
import { brandedPublisher } from './schemas.ts';

const groupPath = {
  publisherId: Type.String({ minLength: 1, maxLength: 255, description: 'Publisher of the group.' }),
  groupId: Type.String({ minLength: 1, maxLength: 64, description: 'Group to apply to.' }),
};

const terms = Type.Object(
  {
    version: Type.Integer(),
    text: Type.String({ description: 'Plain text.' }),
    sha256: Type.String({ description: 'SHA-256 of the text in UTF-8, as hexadecimal digits.' }),
    createdAt: time('When the version was created.'),
  },
  { title: 'GroupTerms' },
);

const applicationPage = Type.Object(
  {
    publisher: brandedPublisher,
    groupId: Type.String(),
    groupName: Type.String(),
    revShare: Type.Number({ description: 'Default share of the group’s creators, in percent.' }),
    terms,
    isFull: Type.Boolean({ description: 'True while the group has too many undecided applications.' }),
    daysToDecide: Type.Integer({ description: 'Days after which an undecided application ends.' }),
  },
  { title: 'ApplicationPage' },
);

const ownApplication = Type.Object(
  {
    publisherId: Type.String(),
    publisherName: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    state: oneOf(applicationStates, {
      title: 'ApplicationState',
      description:
        'Open: the publisher hasn’t decided. Expired: it didn’t decide in time, and the creator can apply again.',
    }),
    code: nullable(Type.String({ description: 'Code that the creator wants.' })),
    appliedAt: time('When the creator applied.'),
    expiresAt: time('When an open application ends if the publisher doesn’t decide.'),
    decidedAt: nullable(time('When the publisher decided, or the application ended.')),
    reason: nullable(Type.String({ description: 'Reason for a refusal, in the publisher’s words.' })),
    againAt: nullable(
      time(`When the creator can apply again after a refusal, ${daysToApplyAgain} days later.`),
    ),
    termsVersion: Type.Integer({ description: 'Version of the terms that the creator accepted.' }),
  },
  { title: 'OwnApplication' },
);

/** Registers the page of a group that is open for applications, and what a signed-in person does there. */
export function applyRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Applications');
  const { db, limits, clock } = portal;
  operation(
    ['get', '/apply/:publisherId/:groupId', 'getApplicationPage'],
    {
      of: 'public',
      summary: 'Get the page of a group that creators can apply to',
      description: 'Returns 404 if the group is closed for applications or doesn’t exist.',
      path: groupPath,
      answer: applicationPage,
    },
    async (request) => {
      limits.countPage(request.ip);
      const group = await findOpenGroup(db, request.params);
      const { publisherId, publisherName, groupId, groupName, revShare, maxPending } = group;
      const { accent, logo } = await readBrand(db, publisherId);
      return {
        publisher: {
          ...{ publisherId, name: publisherName, isSandbox: false },
          logoPath: logo && logoPath(publisherId, logo),
          accent: accent === null ? null : accentShades(accent),
        },
        ...{ groupId, groupName, revShare, terms: group.terms, daysToDecide },
        isFull: (await countOpenApplications(db, group)) >= maxPending,
      };
    },
  );

  operation(
    ['get', '/apply/:publisherId/:groupId/codes/:wantedCode', 'checkWantedCode'],
    {
      of: 'signed-in',
      summary: 'Check a code while it is being typed',
      description: 'Doesn’t reserve the code, and tells no one who has it.',
      path: {
        ...groupPath,
        wantedCode: Type.String({ minLength: 1, maxLength: 100, description: 'Code as it is typed.' }),
      },
      answer: Type.Object(
        {
          state: oneOf(wantedCodeStates, {
            description:
              'free: the creator can apply with it. own: the creator already has it. taken: someone else has it, or no one can get it. invalid: it doesn’t have 2 to 32 letters, digits, _ and -.',
          }),
        },
        { title: 'CheckedWantedCode' },
      ),
    },
    async (request) => {
      const { userId } = sessionOf(request);
      limits.countCheck(userId, request.ip);
      const { publisherId, groupId, wantedCode: code } = request.params;
      return { state: await checkWantedCode(db, { userId, publisherId, groupId, code }) };
    },
  );

  operation(
    ['post', '/apply/:publisherId/:groupId', 'apply'],
    {
      of: 'signed-in',
      summary: 'Apply to a group',
      description: `The creator is Pending until the publisher decides, at most ${daysToDecide} days. Repeating an open application changes nothing. A person has one open application at a publisher.`,
      path: groupPath,
      body: Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 255,
            pattern: visible,
            description: 'Name of the creator. An existing account keeps its name.',
          }),
          code: text(64, 'Code that the creator wants.'),
          termsSha256: text(64, 'Hash of the terms that the page showed. Sending it accepts them.'),
        },
        { ...closed, title: 'NewApplication' },
      ),
      answer: Type.Object({}, { title: 'SentApplication' }),
    },
    async (request) => {
      const { userId } = sessionOf(request);
      const typed = {
        ...request.params,
        ...request.body,
        userId,
        source: sourceOf(request),
        now: clock.now(),
      };
      await limits.countApplication(userId, request.ip, () => apply(db, typed));
      return {};
    },
  );

  operation(
    ['get', '/applications', 'listApplications'],
    {
      of: 'signed-in',
      summary: 'List the latest application to each group',
      description: 'The newest first.',
      answer: Type.Object({ rows: Type.Array(ownApplication) }, { title: 'OwnApplications' }),
    },
    async (request) => {
      const rows = await listOwnApplications(db, sessionOf(request).userId);
      return {
        rows: rows.map(({ terms: { version }, membershipId: _, ...row }) => ({
          ...row,
          termsVersion: version,
        })),
      };
    },
  );
}
