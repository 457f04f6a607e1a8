import swagger from '@fastify/swagger';
import { version } from '../platform/config.ts';
import type { App } from '../platform/http/app-type.ts';
import type { ApiDocument } from '../platform/http/reference/api-document.ts';
import { describeAnswers } from '../platform/http/reference/describe-answers.ts';
import { nameModels } from '../platform/http/reference/name-models.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the admin API's OpenAPI document. Call it after all routes are registered. */
    adminDocument(): object;
    /** Returns the document. @fastify/swagger adds this decorator to the scope that registers the routes. */
    swaggerOfAdmin(): object;
  }
}

/** Generates the admin API's OpenAPI document from the schemas that validate requests. Call it before registering routes. */
export async function describeAdminApi(app: App): Promise<void> {
  await app.register(swagger, {
    decorator: 'swaggerOfAdmin',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Creator attribution service: admin API',
        version,
        description:
          'The API behind the dashboard, for signed-in people and for operator tokens. ' +
          'Amounts are strings in minor units. Later versions may add properties to responses. ' +
          'An unknown query parameter is rejected with 400 and a message that lists the valid parameters. ' +
          'Operations marked `x-fresh` require a sign-in within the last five minutes; operator tokens are exempt. ' +
          'Operations marked `x-people` reject operator tokens.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation' }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-attribution',
            description: 'Session cookie of a signed-in browser.',
          },
          operatorToken: { type: 'http', scheme: 'bearer', description: 'Operator token: svc_ok_….' },
        },
      },
    },
    transform({ schema, url, route }) {
      const required = route.config?.staff;
      const isForPeople = route.config?.people === true;
      const security =
        required === 'public' ? [] : [{ session: [] }, ...(isForPeople ? [] : [{ operatorToken: [] }])];
      const extensions = required !== undefined && {
        'x-permission': required,
        ...(route.config?.fresh === true && { 'x-fresh': true }),
        ...(isForPeople && { 'x-people': true }),
      };
      return { schema: { hide: required === undefined, security, ...extensions, ...schema }, url };
    },
    transformObject: (generated) => {
      const document = ('openapiObject' in generated
        ? generated.openapiObject
        : {}) as unknown as ApiDocument;
      return nameModels(describeAnswers(document)) as object;
    },
  });
}
