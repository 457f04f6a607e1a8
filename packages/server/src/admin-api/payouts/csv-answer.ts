import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';

/**
 * Response schema for a CSV file: UTF-8 with a byte order mark, so that spreadsheets recognize the encoding.
 */
export const csvAnswer = {
  description:
    'The CSV file. If the export fails, the connection is closed early, so that clients detect the incomplete file.',
  content: { 'text/csv': { schema: Type.String() } },
};

/**
 * Returns the name of an exported file. Names of sandbox exports start with `sandbox-`, because their amounts
 * are not real money.
 */
export const exportFileName = (request: FastifyRequest, name: string): string =>
  staffOf(request).isSandbox ? `sandbox-${name}` : name;
