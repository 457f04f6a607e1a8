import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { importClearances } from '../../settlement/gates/import/import-clearances.ts';
import { clearanceVerdicts } from '../../settlement/gates/import/judge-clearances.ts';
import { maxClearances, parseClearances } from '../../settlement/gates/import/parse-clearances.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, oneOf, time } from '../schemas.ts';

/** Maximum length of a file, in characters: 200 per line, because spreadsheets have many columns. */
const maxFileLength = maxClearances * 200;

const verdict = Type.Object(
  {
    line: Type.Integer({ description: 'Line number in the file, starting at 1.' }),
    memberId: Type.String(),
    verdict: oneOf(clearanceVerdicts, {
      title: 'ClearanceVerdictKind',
      description:
        '`change`: the clearance is set. `unchanged`: the creator already has it. All other lines are left out, and `problem` gives the reason.',
    }),
    name: nullable(Type.String({ description: "The creator's name; null if the creator is unknown." })),
    from: nullable(time('Start of the period; null for the current time.')),
    until: nullable(time('End of the period; null for a period without an end.')),
    note: Type.String(),
    problem: nullable(Type.String()),
  },
  { title: 'ClearanceVerdict' },
);

export function importClearancesRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/gates/import', 'importTaxClearances'],
    {
      may: 'payouts',
      summary: 'Set tax clearances from a file',
      description:
        `Takes CSV with a header line and the columns \`memberId\`, \`until\`, \`note\` and, optionally, \`from\`, up to ${maxClearances} lines. ` +
        '`until` is the last day of the clearance, such as 2028-12-31 (UTC), or `never`. A dry run returns the verdict on each line ' +
        'and changes nothing. Otherwise, the clearance of every line that allows it is set. The file can be imported again.',
      body: Type.Object(
        {
          csv: Type.String({ minLength: 1, maxLength: maxFileLength, pattern: storable }),
          isDryRun: Type.Boolean(),
        },
        { ...closed, title: 'TaxClearancesToImport' },
      ),
      answer: Type.Object(
        { isDryRun: Type.Boolean(), lines: Type.Array(verdict) },
        { title: 'ImportedTaxClearances' },
      ),
    },
    async ({ params: { publisherId }, body: { csv, isDryRun }, actor }) => {
      const clearances = parseClearances(csv);
      const verdicts = await importClearances(db, actor, { publisherId, clearances, isDryRun });
      return { isDryRun, lines: verdicts.map(({ accountId, ...line }) => line) };
    },
  );
}
