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
    /** Internal operations stay out of the API's document. */
    hidden?: boolean;
  }
}

interface SliceDocuments {
  examples: Examples;
  webhooks: Record<string, object>;
}

/**
 * Makes the API's document, from the schemas that also validate. Called before routes are registered.
 * @param slices what slices say beside their routes: examples of every operation, and the webhooks that are sent
 */
export async function describeApi(app: App, { examples, webhooks }: SliceDocuments): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Creator attribution service',
        version,
        description:
          'Credits purchases to creators. Call it from your back end: secret keys never belong in a game client. ' +
          'Answers may have properties, and errors codes, that later versions add: ignore what you do not know.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'Transactions', description: 'Purchases credited to members: record, read, list, reverse.' },
        { name: 'Members', description: 'The creators of a group.' },
        { name: 'Linking', description: "Creators' accounts and the players they are." },
        { name: 'Groups', description: 'Creator groups.' },
        { name: 'Tiers', description: 'Revenue-share tiers.' },
        { name: 'Scheduled revenue shares', description: 'Other shares, for a window of time.' },
        { name: 'Bounties', description: 'What members bring about, and their rewards.' },
        { name: 'Service', description: 'Trying a key.' },
        {
          name: 'Webhooks',
          description: 'What your endpoint is sent: signed, more than once at times, in no order.',
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
            description: 'svc_pk_…, for what players may see.',
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
    transformObject: (made) => {
      const document = ('openapiObject' in made ? made.openapiObject : {}) as unknown as ApiDocument;
      return nameModels(describeAnswers(describeWarnings(addExamples(document, examples)))) as object;
    },
  });
}
