import swagger from '@fastify/swagger';
import { version } from '../platform/config.ts';
import type { App } from '../platform/http/app-type.ts';
import type { ApiDocument } from '../platform/http/reference/api-document.ts';
import { describeAnswers } from '../platform/http/reference/describe-answers.ts';
import { nameModels } from '../platform/http/reference/name-models.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of the admin API, once all its routes are known. */
    adminDocument(): object;
    /** The same, where the routes are registered. */
    swaggerOfAdmin(): object;
  }
}

/** Makes the admin API's own document, from the schemas that also validate. Called before its routes are registered. */
export async function describeAdminApi(app: App): Promise<void> {
  await app.register(swagger, {
    decorator: 'swaggerOfAdmin',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Creator attribution service: admin API',
        version,
        description:
          'What the dashboard does, for people who are signed in and for programs with an operator token. ' +
          'Amounts are texts of minor units; answers may have properties that later versions add. ' +
          'What is marked `x-fresh` asks a person for a sign-in of the last five minutes, and a token for nothing more; ' +
          'what is marked `x-people` refuses tokens.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: '__Host-attribution', description: 'A sign-in.' },
          operatorToken: { type: 'http', scheme: 'bearer', description: 'svc_ok_…' },
        },
      },
    },
    transform({ schema, url, route }) {
      const asked = route.config?.staff;
      const isForPeople = route.config?.people === true;
      const security =
        asked === 'public' ? [] : [{ session: [] }, ...(isForPeople ? [] : [{ operatorToken: [] }])];
      const permission = asked !== undefined && {
        'x-permission': asked,
        ...(route.config?.fresh === true && { 'x-fresh': true }),
        ...(isForPeople && { 'x-people': true }),
      };
      return { schema: { hide: asked === undefined, security, ...permission, ...schema }, url };
    },
    transformObject: (made) => {
      const document = ('openapiObject' in made ? made.openapiObject : {}) as unknown as ApiDocument;
      return nameModels(describeAnswers(document)) as object;
    },
  });
}
