import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';

/** Response schema of a CSV file: UTF-8 with the byte order mark by which spreadsheets recognize it. */
export const csvAnswer = {
  description:
    'The file. If the export fails, the connection is closed early, so that part of a file is not taken for all of it.',
  content: { 'text/csv': { schema: Type.String() } },
};

/** Returns the name of an exported file, with the prefix `sandbox-` where its amounts are not real money. */
export const exportFileName = (request: FastifyRequest, name: string): string =>
  staffOf(request).isSandbox ? `sandbox-${name}` : name;
