import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { type Config, version as serviceVersion } from '../../platform/config.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputName } from '../../platform/inputs.ts';
import { changePublisher } from '../../publishers/change-publisher.ts';
import { payoutNeedsInput } from '../../publishers/payout-needs.ts';
import { forgetBuyersInput } from '../../publishers/put-publisher.ts';
import { readPublisher } from '../../publishers/read-publisher.ts';
import { adminOperations } from '../admin-operations.ts';
import { provenanceField, provenanceOf } from '../provenance.ts';
import { editedVersion, nullable, versionField } from '../schemas.ts';

const settings = Type.Object(
  {
    publisherId: Type.String(),
    name: Type.String(),
    forgetBuyersAfterDays: nullable(
      Type.Integer({
        description: "Number of days after recording until a purchase's buyer is forgotten; null for never.",
      }),
    ),
    payoutsNeed: payoutNeedsInput,
    provenance: provenanceField,
    version: versionField,
    installation: Type.Object(
      {
        version: Type.String({ description: 'Version of the service.' }),
        publicUrl: nullable(
          Type.String({
            description: 'PUBLIC_URL; null if people can sign in only on the machine itself.',
          }),
        ),
        mailFrom: nullable(
          Type.String({ description: 'MAIL_FROM if SMTP_URL is set; null if no mail is sent.' }),
        ),
        provider: nullable(
          Type.Object(
            { name: Type.String(), issuer: Type.String() },
            { title: 'Provider', description: 'Single sign-on provider; null if there is none.' },
          ),
        ),
        reference: Type.Boolean({ description: 'True if the API reference is served at /docs.' }),
        webhookKeepDays: Type.Integer({
          description: 'Number of days for which events are stored for replay.',
        }),
        allowsPrivateWebhooks: Type.Boolean({
          description: 'True if webhooks may be sent to private networks.',
        }),
      },
      {
        title: 'Installation',
        description: 'Settings of the service, which its operator sets in the environment.',
      },
    ),
  },
  { title: 'Settings' },
);

export function settingsRoutes(app: App, { config, database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Settings');
  const show = async (publisherId: string) => ({
    publisherId,
    ...(await readPublisher(db, publisherId)),
    provenance: await provenanceOf(db, publisherId, `publisher:${publisherId}`),
    installation: installationOf(config),
  });
  operation(
    ['get', '/publishers/:publisherId/settings', 'getSettings'],
    { may: 'read', summary: 'Get the settings of the publisher and the installation', answer: settings },
    ({ params }) => show(params.publisherId),
  );
  operation(
    ['put', '/publishers/:publisherId/settings', 'putSettings'],
    {
      may: 'team',
      summary:
        "Change the publisher's name, the days until its buyers are forgotten, and its payout requirements",
      body: Type.Object(
        {
          version: editedVersion,
          name: inputName,
          forgetBuyersAfterDays: Type.Optional(forgetBuyersInput),
          payoutsNeed: Type.Optional(payoutNeedsInput),
        },
        closed,
      ),
      answer: settings,
    },
    async ({ params: { publisherId }, body, actor }) => {
      await changePublisher(db, actor, { ...body, publisherId });
      return await show(publisherId);
    },
  );
}

const installationOf = (config: Config) => ({
  version: serviceVersion,
  publicUrl: config.publicUrl,
  mailFrom: config.smtpUrl === null ? null : config.mailFrom,
  provider: config.oidcIssuer === null ? null : { name: config.oidcName, issuer: config.oidcIssuer },
  reference: config.operationsPort === null,
  webhookKeepDays: config.webhookKeepDays,
  allowsPrivateWebhooks: config.webhookAllowPrivateTargets,
});
