import { Type } from 'typebox';

/** A CSV file, UTF-8 with a byte order mark, as spreadsheets know it by. */
export const csvAnswer = {
  description:
    'The file. When it breaks off, the connection is cut: nobody takes the beginning for the whole.',
  content: { 'text/csv': { schema: Type.String() } },
};
