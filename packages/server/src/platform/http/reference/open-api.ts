import swagger from '@fastify/swagger';
import { version } from '../../config.ts';
import type { App } from '../app-type.ts';
import { addExamples, type Examples } from './add-examples.ts';
import type { ApiDocument } from './api-document.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeWarnings } from './describe-warnings.ts';
import { nameModels } from './name-models.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for internal operations, which are left out of the API's document. */
    hidden?: boolean;
  }
}

interface SliceDocuments {
  examples: Examples;
  webhooks: Record<string, object>;
}

/**
 * Generates the API's document from the schemas that are also used for validation. Must be called before
 * routes are registered.
 */
export async function describeApi(app: App, { examples, webhooks }: SliceDocuments): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Creator attribution service',
        version,
        description:
          'Credits purchases to creators. Call it from your back end: a secret key must never be part of a game client. ' +
          'Later versions may add response properties and error codes. Ignore any that you do not recognize.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'Transactions', description: 'Purchases credited to members: record, read, list, reverse.' },
        { name: 'Members', description: 'The creators of a group.' },
        {
          name: 'Players’ codes',
          description:
            'The creator code that a player has entered, for purchases that are sent without a code.',
        },
        {
          name: 'Referrals',
          description: 'Players who support creators.',
        },
        {
          name: 'Connectors',
          description: 'Orders of payment providers, whose events connectors turn into purchases.',
        },
        { name: 'Linking', description: "Links between creators' accounts and players." },
        { name: 'Groups', description: 'Creator groups.' },
        { name: 'Tiers', description: 'Revenue-share tiers.' },
        {
          name: 'Scheduled revenue shares',
          description: 'Shares that apply between a start time and an end time.',
        },
        { name: 'Bounties', description: 'Rewards for members who reach objectives.' },
        { name: 'Service', description: 'Key check.' },
        {
          name: 'Webhooks',
          description: 'Signed events that your endpoint receives, possibly more than once and in any order.',
        },
      ],
      webhooks,
      servers: [{ url: '/', description: 'This installation' }],
      components: {
        securitySchemes: {
          secretKey: { type: 'apiKey', in: 'header', name: 'X-SHARED-SECRET', description: 'svc_sk_…' },
          publicKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-SHARED-SECRET',
            description: 'svc_pk_…, for data that players may see.',
          },
        },
      },
    },
    transform({ schema, url, route }) {
      const { key, bodyIsOptional } = route.config ?? {};
      const security = key === 'public' ? [{ publicKey: [] }, { secretKey: [] }] : [{ secretKey: [] }];
      const body = bodyIsOptional === true && { 'x-body-is-optional': true };
      return { schema: { hide: key === undefined, security, ...body, ...schema }, url };
    },
    transformObject: (generated) => {
      const document = ('openapiObject' in generated
        ? generated.openapiObject
        : {}) as unknown as ApiDocument;
      return nameModels(describeAnswers(describeWarnings(addExamples(document, examples)))) as object;
    },
  });
}
