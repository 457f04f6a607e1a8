import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { maxReferenceLength } from '../../settlement/payouts/payout-reference.ts';
import { resultVerdicts } from '../../settlement/payouts/results/judge-results.ts';
import {
  maxNoteLength,
  maxResults,
  parseResults,
  type WantedResult,
} from '../../settlement/payouts/results/parse-results.ts';
import { adminOperations } from '../admin-operations.ts';
import { inputMinor, minor, nullable, oneOf } from '../schemas.ts';
import { lineResult, payoutPath } from './payout-model.ts';

/** Maximum length of a file, in characters: 200 per line, because providers' files have many columns. */
const maxFileLength = maxResults * 200;

const wantedLine = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: maxReferenceLength, pattern: storable }),
    result: lineResult,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNoteLength,
        pattern: storable,
        description: 'Note to the creator, who sees it in the portal.',
      }),
    ),
  },
  { ...closed, title: 'ResultToSet' },
);

const verdict = Type.Object(
  {
    line: Type.Integer({ description: 'Line number in the file, or position in the list, starting at 1.' }),
    reference: Type.String(),
    verdict: oneOf(resultVerdicts, {
      description:
        '`change`: the result is set. `unchanged`: the line already has it. All other lines are left out, and `problem` gives the reason.',
    }),
    from: nullable(lineResult),
    to: nullable(lineResult),
    name: nullable(Type.String({ description: "Member's name; null if the line isn't in this payout." })),
    amountMinor: nullable(minor('Amount of the line.')),
    problem: nullable(Type.String()),
  },
  { title: 'ResultVerdict' },
);

export function resultRoutes(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/payouts/:payoutId/results', 'setPayoutResults'],
    {
      may: 'payouts',
      fresh: true,
      people: true,
      summary: "Set results of a payout's lines",
      description:
        `Takes either a list (\`results\`) or CSV (\`csv\`) with a header line and the columns \`reference\`, \`status\` and, optionally, \`note\`, up to ${maxResults} lines. ` +
        'Lines are found by their reference. A dry run returns the verdict on each line and changes nothing. Otherwise ' +
        "the result is set on every line that allows it. The amounts of lines that failed or were returned are added to the members' next payouts. This cannot be undone. " +
        'The body repeats the sum of these amounts, `owedAgainMinor` from the dry run; a different sum is rejected.',
      path: payoutPath.properties,
      body: Type.Object(
        {
          results: Type.Optional(Type.Array(wantedLine, { minItems: 1, maxItems: maxResults })),
          csv: Type.Optional(Type.String({ minLength: 1, maxLength: maxFileLength, pattern: storable })),
          isDryRun: Type.Boolean(),
          owedAgainMinor: Type.Optional(
            inputMinor('Sum of the lines that fail or are returned. Required unless it is a dry run.'),
          ),
        },
        { ...closed, title: 'ResultsToSet' },
      ),
      answer: Type.Object(
        {
          isDryRun: Type.Boolean(),
          owedAgainMinor: minor('Sum of the changed lines that failed or were returned.'),
          lines: Type.Array(verdict),
        },
        { title: 'PayoutResults' },
      ),
    },
    async ({ params: { publisherId, payoutId }, body, actor }) => {
      const { isDryRun, owedAgainMinor } = body;
      if (!isDryRun && owedAgainMinor === undefined)
        throw new Refusal(
          'InvalidInput',
          'owedAgainMinor is required. Send the value that the dry run returned.',
          {
            path: ['owedAgainMinor'],
          },
        );
      const { verdicts, owedAgainMinor: sum } = await operations.setResults(db, actor, {
        publisherId,
        payoutId,
        results: wantedOf(body),
        isDryRun,
        ...(owedAgainMinor !== undefined && { owedAgainMinor: BigInt(owedAgainMinor) }),
      });
      const lines = verdicts.map(({ note, item, ...each }) => ({
        ...each,
        name: item?.name ?? null,
        amountMinor: item?.amountMinor ?? null,
      }));
      return { isDryRun, owedAgainMinor: sum, lines };
    },
  );
}

function wantedOf({
  results,
  csv,
}: {
  results?: { reference: string; result: NonNullable<WantedResult['result']>; note?: string }[];
  csv?: string;
}): WantedResult[] {
  if ((results === undefined) === (csv === undefined))
    throw new Refusal('InvalidInput', 'Send either results or csv, but not both.', {
      path: ['results'],
    });
  if (csv !== undefined) return parseResults(csv);
  return (results ?? []).map(({ reference, result, note = null }, index) => ({
    line: index + 1,
    reference: reference.trim().toUpperCase(),
    result,
    note,
    problem: null,
  }));
}
