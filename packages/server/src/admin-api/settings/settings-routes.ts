import { Type } from 'typebox';
import { lastChanges } from '../../audit/last-changes.ts';
import type { Service } from '../../composition.ts';
import { type Config, version as programVersion } from '../../platform/config.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputName } from '../../platform/inputs.ts';
import { versionOf } from '../../platform/version.ts';
import { forgetBuyersInput } from '../../publishers/put-publisher.ts';
import { adminErrors, nullable, publisherPath } from '../schemas.ts';
import { provenanceField, shownProvenance } from '../shares/share-schemas.ts';
import { changePublisher } from './change-publisher.ts';
import { readPublisher } from './read-publisher.ts';

const tags = ['Settings'];

const settings = Type.Object(
  {
    publisherId: Type.String(),
    name: Type.String(),
    forgetBuyersAfterDays: nullable(
      Type.Integer({
        description: 'So many days after a purchase was recorded its buyer is blanked; null: never.',
      }),
    ),
    provenance: provenanceField,
    version: Type.String({
      description: 'Of what can be changed here; an edit sends the one it began with.',
    }),
    installation: Type.Object(
      {
        version: Type.String({ description: 'Of the program.' }),
        publicUrl: nullable(
          Type.String({
            description: 'PUBLIC_URL; null: people sign in on the machine itself alone.',
          }),
        ),
        mailFrom: nullable(Type.String({ description: 'MAIL_FROM where SMTP_URL is set; null: no mail.' })),
        provider: nullable(
          Type.Object(
            { name: Type.String(), issuer: Type.String() },
            { title: 'Provider', description: 'Single sign-on; null: none.' },
          ),
        ),
        reference: Type.Boolean({ description: 'The reference of the API is served at /docs.' }),
        webhookKeepDays: Type.Integer({ description: 'Days that events are kept, to be replayed.' }),
        allowsPrivateWebhooks: Type.Boolean({ description: 'Webhooks may be sent to this network.' }),
      },
      { title: 'Installation', description: 'Set in the environment of the program, by who runs it.' },
    ),
  },
  { title: 'Settings' },
);

export function settingsRoutes(app: App, { config, database: { db } }: Service): void {
  const show = async (publisherId: string) => {
    const publisher = await readPublisher(db, publisherId);
    const target = `publisher:${publisherId}`;
    const changes = await lastChanges(db, publisherId, [target]);
    return {
      publisherId,
      ...publisher,
      provenance: shownProvenance(changes.get(target)),
      version: versionOf(publisher),
      installation: installationOf(config),
    };
  };
  app.get(
    '/publishers/:publisherId/settings',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getSettings',
        summary: 'What the publisher and the installation are set to',
        tags,
        params: publisherPath,
        response: { 200: settings, ...adminErrors },
      },
    },
    async ({ params }, reply) => sendJson(reply, await show(params.publisherId)),
  );
  app.put(
    '/publishers/:publisherId/settings',
    {
      config: { staff: 'team' },
      schema: {
        operationId: 'putSettings',
        summary: 'Name the publisher anew, and say how long its buyers are known',
        tags,
        params: publisherPath,
        body: Type.Object(
          {
            version: Type.String({
              maxLength: 64,
              description: 'As it was read. When it is another one by now, nothing is saved: 409.',
            }),
            name: inputName,
            forgetBuyersAfterDays: Type.Optional(forgetBuyersInput),
          },
          closed,
        ),
        response: { 200: settings, ...adminErrors },
      },
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      await changePublisher(db, actor, { ...body, publisherId });
      return sendJson(reply, await show(publisherId));
    },
  );
}

const installationOf = (config: Config) => ({
  version: programVersion,
  publicUrl: config.publicUrl,
  mailFrom: config.smtpUrl === null ? null : config.mailFrom,
  provider: config.oidcIssuer === null ? null : { name: config.oidcName, issuer: config.oidcIssuer },
  reference: config.operationsPort === null,
  webhookKeepDays: config.webhookKeepDays,
  allowsPrivateWebhooks: config.webhookAllowPrivateTargets,
});
