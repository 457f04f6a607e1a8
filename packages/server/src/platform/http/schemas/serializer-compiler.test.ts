import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import build from 'fast-json-stringify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { startService } from '../../../../test/test-service.ts';

type Content = Record<string, { schema: object }>;

// Returns the response schemas of all operations, with the operations' names.
async function schemasOfAnswers(): Promise<Map<object, string>> {
  const schemas = new Map<object, string>();
  const onRoute = ({ method, url, schema }: RouteOptions): void => {
    const answers = (schema?.response ?? {}) as Record<string, { content?: Content }>;
    for (const [status, answer] of Object.entries(answers)) {
      const contents =
        answer.content === undefined ? [answer] : Object.values(answer.content).map((each) => each.schema);
      for (const content of contents) schemas.set(content, `${method} ${url} ${status}`);
    }
  };
  const onApp = (message: unknown): void =>
    void (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', onRoute);
  subscribe('fastify.initialization', onApp);
  const service = await startService();
  unsubscribe('fastify.initialization', onApp);
  await service.close();
  return schemas;
}

test('compiles the schema of every response without an error', async () => {
  const schemas = await schemasOfAnswers();
  expect(schemas.size).toBeGreaterThan(80);
  const broken: string[] = [];
  for (const [schema, where] of schemas) {
    try {
      build(schema);
    } catch (error) {
      broken.push(`${where}: ${error}`);
    }
  }
  expect(broken).toEqual([]);
});
