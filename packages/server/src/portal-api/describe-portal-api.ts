import swagger from '@fastify/swagger';
import { version } from '../platform/config.ts';
import type { App } from '../platform/http/app-type.ts';
import type { ApiDocument } from '../platform/http/reference/api-document.ts';
import { describeAnswers } from '../platform/http/reference/describe-answers.ts';
import { nameModels } from '../platform/http/reference/name-models.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the OpenAPI document of the portal's API. Call it after all routes are registered. */
    portalDocument(): object;
    /** Returns the document. @fastify/swagger adds this decorator to the scope that registers the routes. */
    swaggerOfPortal(): object;
  }
}

/** Generates the OpenAPI document of the portal's API from the schemas that validate requests. */
export async function describePortalApi(app: App): Promise<void> {
  await app.register(swagger, {
    decorator: 'swaggerOfPortal',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: "Creator attribution service: creators' portal",
        version,
        description:
          "The API behind the creators' portal, for signed-in creators in a browser. Amounts are strings in minor units. " +
          "Which accounts a request reads depends on its session alone. Changes are accepted only from the portal's own " +
          'origin. Later versions may add properties to responses. An unknown query parameter is rejected with 400.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation' }],
      tags: [
        { name: 'Sign-in', description: 'Codes, links, invitations and sessions.' },
        {
          name: 'Accounts',
          description: "The creator's accounts and publishers, and connecting another account.",
        },
        { name: 'Applications', description: 'Applying to a group of a publisher.' },
        { name: 'Earnings', description: 'What the creator earned, why, and when it is paid.' },
        { name: 'Bounties', description: 'Bounties with the creator’s progress.' },
        { name: 'Payouts', description: "The creator's lines in payouts, and what became of them." },
        {
          name: 'Payout methods',
          description: 'Where the creator is paid. Each change needs an emailed code.',
        },
        {
          name: 'Notifications',
          description: 'Emails that the creator gets, and their links that turn them off.',
        },
        { name: 'Stream alert', description: 'Overlay that shows new purchases on a stream.' },
        { name: 'Statements', description: 'Monthly statements of what was booked.' },
      ],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-attribution-creators',
            description: 'Session cookie of a signed-in browser.',
          },
          overlay: {
            type: 'http',
            scheme: 'bearer',
            description: "Secret behind the # of a stream alert's address.",
          },
        },
      },
    },
    transform({ schema, url, route }) {
      const required = route.config?.portal;
      const security =
        required === 'public' ? [] : required === 'alert' ? [{ overlay: [] }] : [{ session: [] }];
      return {
        schema: {
          hide: required === undefined,
          security,
          ...(required !== undefined && { 'x-caller': required }),
          ...schema,
        },
        url,
      };
    },
    transformObject: (generated) => {
      const document = ('openapiObject' in generated
        ? generated.openapiObject
        : {}) as unknown as ApiDocument;
      return nameModels(describeAnswers(document)) as object;
    },
  });
}
