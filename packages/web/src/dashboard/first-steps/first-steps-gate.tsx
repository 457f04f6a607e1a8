import { lazy, Suspense, useState } from 'react';
import { useFirstSteps } from './use-first-steps.ts';

const FirstSteps = lazy(() => import('./first-steps.tsx').then((found) => ({ default: found.FirstSteps })));

/** First steps for a new publisher. For any other publisher, renders nothing. */
export function FirstStepsGate() {
  const { data } = useFirstSteps();
  // The last step may be done while a dialog of the list still shows a key, which can't be shown again.
  const [isHeld, setHeld] = useState(false);
  if (data === undefined || !(data.isWanted || isHeld)) return null;
  return (
    <Suspense>
      <FirstSteps steps={data.steps} onSecret={setHeld} />
    </Suspense>
  );
}
