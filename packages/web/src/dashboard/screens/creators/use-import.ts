import { useState } from 'react';
import { importCreators } from '../../../client/sdk.gen.ts';
import type { CreatorImport } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useRefresh } from './use-creators.ts';

export type Line = CreatorImport['lines'][number];
export type Scope = 'group' | 'global';

interface Import {
  step: 'nothing' | 'checking' | 'checked' | 'applying' | 'applied';
  lines: readonly Line[];
  /** Number of lines in the whole table, once known. */
  lineCount: number;
  error: unknown;
}

const nothing: Import = { step: 'nothing', lines: [], lineCount: 0, error: null };

interface ImportOptions {
  publisherId: string;
  groupId: string | undefined;
  csv: string;
  scope: Scope;
  /** True to also save lines that take over another creator's code. */
  takesOver: boolean;
}

/** Runs an import or its dry run in parts, and collects the result for each line. */
export function useImport({ publisherId, groupId, csv, scope, takesOver }: ImportOptions) {
  const refresh = useRefresh();
  const [state, setState] = useState<Import>(nothing);
  const [isBusy, setBusy] = useState(false);
  const run = async (isDryRun: boolean): Promise<void> => {
    if (groupId === undefined || isBusy) return;
    setBusy(true);
    let lines: readonly Line[] = [];
    setState({ ...nothing, step: isDryRun ? 'checking' : 'applying' });
    try {
      for (let fromLine: number | null = 1; fromLine !== null; ) {
        const { data }: { data: CreatorImport } = await importCreators({
          path: { publisherId },
          query: { group: groupId },
          body: { csv, codeScope: scope, isDryRun, fromLine, ...(!isDryRun && { takeOver: takesOver }) },
          throwOnError: true,
        });
        lines = [...lines, ...data.lines];
        fromLine = data.nextLine;
        setState((before) => ({ ...before, lines, lineCount: data.lineCount }));
      }
      setState((before) => ({ ...before, step: isDryRun ? 'checked' : 'applied' }));
      announce(isDryRun ? t('Checked. Nothing is saved yet') : t('Imported'));
    } catch (error) {
      setState((before) => ({ ...before, step: isDryRun ? 'nothing' : 'applying', error }));
    } finally {
      setBusy(false);
      if (!isDryRun) await refresh();
    }
  };
  return { state, isBusy, run, reset: () => setState(nothing) };
}
