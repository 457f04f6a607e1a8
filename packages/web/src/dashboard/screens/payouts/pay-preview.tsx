import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createPayout } from '../../../client/sdk.gen.ts';
import type { PayoutChange, PayoutPreview, PreviewTotals } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { CreateDialog } from './create-dialog.tsx';

const ChangedDialog = lazy(() =>
  import('./changed-dialog.tsx').then(({ ChangedDialog }) => ({ default: ChangedDialog })),
);

interface PayPreviewProps {
  isAsking: boolean;
  onAsk(isAsking: boolean): void;
  preview: PayoutPreview | undefined;
  /** Currencies in which somebody is due. */
  due: readonly PreviewTotals[];
  onAgain(): void;
}

/** Creates payouts of a preview; where that changed meanwhile, says what, and asks again with a new one. */
export function PayPreview({ isAsking, onAsk, preview, due, onAgain }: PayPreviewProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [change, setChange] = useState<PayoutChange | null>(null);
  const [previous, setPrevious] = useState<string | null>(null);
  const isThere = previous !== null && preview !== undefined && preview.asOf !== previous;
  useEffect(() => {
    if (!isThere) return;
    setPrevious(null);
    if (due.length > 0) onAsk(true);
  }, [isThere, due.length, onAsk]);
  if (preview === undefined) return null;
  const { groupId, asOf } = preview;
  const createOthers = async (currencies: readonly string[]): Promise<void> => {
    for (const currency of currencies)
      await createPayout({ path: { publisherId }, body: { groupId, asOf, currency }, throwOnError: true });
    setChange(null);
    announce(
      t('{count, plural, one {The payout is made} other {# payouts are made}}', { count: currencies.length }),
    );
    onAgain();
    await queryClient.invalidateQueries();
  };
  return (
    <>
      <CreateDialog
        opened={isAsking}
        onClose={() => onAsk(false)}
        preview={preview}
        due={due}
        onChanged={setChange}
      />
      {change !== null && (
        <Suspense>
          <ChangedDialog
            change={change}
            shown={due}
            onClose={() => setChange(null)}
            onAgain={() => {
              setChange(null);
              setPrevious(asOf);
              onAgain();
            }}
            onOthers={createOthers}
          />
        </Suspense>
      )}
    </>
  );
}
