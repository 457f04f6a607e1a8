import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Gate } from '../../client/types.gen.ts';
import { t } from '../../ui/text.ts';
import { usePublisher } from '../session/session.ts';
import { GateNote } from './gate-note.tsx';

const EndGateDialog = lazy(() =>
  import('./end-gate-dialog.tsx').then((found) => ({ default: found.EndGateDialog })),
);

/** Tax clearance or review, with the action that ends it. */
export function GateRow({ gate }: { gate: Gate }) {
  const { may } = usePublisher();
  return (
    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <GateNote gate={gate} />
      {may('payouts') && <EndGate gate={gate} />}
    </Group>
  );
}

/** Button that ends a tax clearance or review after a confirmation. */
export function EndGate({ gate }: { gate: Gate }) {
  const [isEnding, setEnding] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" miw="max-content" onClick={() => setEnding(true)}>
        {gate.kind === 'review' ? t('End review…') : t('Revoke…')}
      </Button>
      <Suspense>{isEnding && <EndGateDialog gate={gate} onClose={() => setEnding(false)} />}</Suspense>
    </>
  );
}
