import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { checkQuery } from './read-query.ts';
import { checkValue } from './validation.ts';

/** Validates bodies and path parameters as they are, and query strings after converting their values. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'querystring'
    ? (query) => checkQuery(schema, query)
    : (value: unknown) => checkValue(schema, value);
