import build from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (answer: unknown) => string;

/**
 * Compiled serializers, by schema. Many routes share a schema, because every GET route is also a HEAD route.
 */
const compiled = new WeakMap<object, Serialize>();

/**
 * Serializes responses according to their schemas. A schema is compiled when its first response is sent,
 * because compiling all schemas took half of the startup time and most processes use only a few.
 */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serialize | undefined;
  return (answer) => {
    serialize ??= compiled.get(schema) ?? compile(schema);
    return serialize(answer);
  };
};

function compile(schema: object): Serialize {
  const serialize: Serialize = build(schema);
  compiled.set(schema, serialize);
  return serialize;
}
