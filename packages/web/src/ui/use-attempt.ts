import { useState } from 'react';

export interface Attempt {
  error: unknown;
  isBusy: boolean;
  run(attempt: () => Promise<unknown>): Promise<void>;
}

/** Runs at most one attempt at a time, and returns the error of the last attempt. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (attempt: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await attempt();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run };
}
