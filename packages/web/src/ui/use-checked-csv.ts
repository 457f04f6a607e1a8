import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

interface CheckedCsvOptions<Answer> {
  /**
   * Sends the table.
   * @param checked response to the dry run; null if this is the dry run
   */
  send(csv: string, checked: Answer | null): Promise<Answer>;
  /** Called after the table's lines were saved. */
  onSaved(answer: Answer): void;
}

/** Table that is checked by a dry run before its lines are saved. Changing the table discards the check. */
export function useCheckedCsv<Answer>({ send, onSaved }: CheckedCsvOptions<Answer>) {
  const queryClient = useQueryClient();
  const [csv, setCsv] = useState('');
  const [checked, setChecked] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (basis: Answer | null): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const answer = await send(csv, basis);
      if (basis === null) {
        setChecked(answer);
        return;
      }
      await queryClient.invalidateQueries();
      onSaved(answer);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return {
    csv,
    checked,
    error,
    isBusy,
    change(text: string): void {
      setCsv(text);
      setChecked(null);
      setError(null);
    },
    check: (): Promise<void> => run(null),
    save: (): Promise<void> => run(checked),
  };
}
