import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';

/** A CSV file, UTF-8 with a byte order mark, as spreadsheets know it by. */
export const csvAnswer = {
  description:
    'The file. When it breaks off, the connection is cut: nobody takes the beginning for the whole.',
  content: { 'text/csv': { schema: Type.String() } },
};

/** What a file is called: one of a sandbox says so, lest its money is taken for real. */
export const fileNameAt = (request: FastifyRequest, name: string): string =>
  staffOf(request).isSandbox ? `sandbox-${name}` : name;
