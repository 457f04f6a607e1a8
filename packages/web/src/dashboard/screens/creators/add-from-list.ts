import { importCreators } from '../../../client/sdk.gen.ts';
import type { CreatorImport } from '../../../client/types.gen.ts';
import type { NewCreator } from './list-entries.ts';
import type { ShownOutcome } from './shown-outcome.ts';

interface Addition {
  publisherId: string;
  groupId: string;
  creators: readonly NewCreator[];
  status: 'Approved' | 'Pending';
}

/** Adds creators with the import, in parts, and returns an outcome for each. */
export async function addFromList({
  publisherId,
  groupId,
  creators,
  status,
}: Addition): Promise<ShownOutcome[]> {
  const rows = creators.map(({ name, code }) => [name, code ?? '', status].map(quote).join(','));
  const csv = ['name,codes,status', ...rows].join('\n');
  const outcomes: ShownOutcome[] = [];
  for (let fromLine: number | null = 1; fromLine !== null; ) {
    const { data }: { data: CreatorImport } = await importCreators({
      path: { publisherId },
      query: { group: groupId },
      body: { csv, codeScope: 'group', isDryRun: false, fromLine },
      throwOnError: true,
    });
    for (const { verdict, name, memberId, problems } of data.lines)
      outcomes.push({
        groupId,
        memberId,
        typedName: name,
        outcome:
          verdict === 'new' || verdict === 'changed' ? 'done' : verdict === 'as before' ? verdict : 'refused',
        tierBefore: null,
        message: problems.length === 0 ? null : problems.join(' '),
      });
    fromLine = data.nextLine;
  }
  return outcomes;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
