import build from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (answer: unknown) => string;

/** Compiled serializers of the process. Many routes share a schema: every GET is also a HEAD. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Serializes responses by their schemas. A schema is compiled at its first response: compiling all of them took half of the
 * start-up time, and most processes use few of them.
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
