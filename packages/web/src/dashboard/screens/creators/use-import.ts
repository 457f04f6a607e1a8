import { useState } from 'react';
import { importCreators } from '../../../client/sdk.gen.ts';
import type { CreatorImport } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useRefresh } from './use-creators.ts';

export type Line = CreatorImport['lines'][number];
export type Scope = 'group' | 'global';

interface Import {
  step: 'nothing' | 'trying' | 'tried' | 'applying' | 'applied';
  lines: readonly Line[];
  /** Of the whole table, as soon as it is known. */
  lineCount: number;
  error: unknown;
}

const nothing: Import = { step: 'nothing', lines: [], lineCount: 0, error: null };

interface Asked {
  publisherId: string;
  groupId: string | undefined;
  csv: string;
  scope: Scope;
  /** Lines that take a code over are saved, too. */
  takeOver: boolean;
}

/** Tries an import, or does it, part by part, and keeps what became of each line. */
export function useImport({ publisherId, groupId, csv, scope, takeOver }: Asked) {
  const refresh = useRefresh();
  const [state, setState] = useState<Import>(nothing);
  const [isBusy, setBusy] = useState(false);
  const run = async (isDryRun: boolean): Promise<void> => {
    if (groupId === undefined || isBusy) return;
    setBusy(true);
    let lines: readonly Line[] = [];
    setState({ ...nothing, step: isDryRun ? 'trying' : 'applying' });
    try {
      for (let fromLine: number | null = 1; fromLine !== null; ) {
        const { data }: { data: CreatorImport } = await importCreators({
          path: { publisherId },
          query: { group: groupId },
          body: { csv, codeScope: scope, isDryRun, fromLine, ...(!isDryRun && { takeOver }) },
          throwOnError: true,
        });
        lines = [...lines, ...data.lines];
        fromLine = data.nextLine;
        setState((before) => ({ ...before, lines, lineCount: data.lineCount }));
      }
      setState((before) => ({ ...before, step: isDryRun ? 'tried' : 'applied' }));
      announce(isDryRun ? t('Tried: nothing is saved yet') : t('Imported'));
    } catch (error) {
      setState((before) => ({ ...before, step: isDryRun ? 'nothing' : 'applying', error }));
    } finally {
      setBusy(false);
      if (!isDryRun) await refresh();
    }
  };
  return { state, isBusy, run, forget: () => setState(nothing) };
}
