import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createPayout } from '../../../client/sdk.gen.ts';
import type { Payout, PayoutChange, PayoutPreview, PreviewTotals } from '../../../client/types.gen.ts';
import { toast } from '../../../ui/toast.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { CreateDialog } from './create-dialog.tsx';
import { createdWords } from './created-words.ts';
import { useCreated } from './use-created.ts';

const ChangedDialog = lazy(() =>
  import('./changed-dialog.tsx').then(({ ChangedDialog }) => ({ default: ChangedDialog })),
);

interface PayPreviewProps {
  isConfirming: boolean;
  onConfirm(isConfirming: boolean): void;
  preview: PayoutPreview | undefined;
  /** Currencies with an amount due. */
  due: readonly PreviewTotals[];
  onAgain(): void;
}

/** Creates payouts from a preview. If the amounts changed, shows the changes and offers a new preview. */
export function PayPreview({ isConfirming, onConfirm, preview, due, onAgain }: PayPreviewProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const show = useCreated();
  const queryClient = useQueryClient();
  const [change, setChange] = useState<PayoutChange | null>(null);
  const [previous, setPrevious] = useState<string | null>(null);
  const isRefreshed = previous !== null && preview !== undefined && preview.asOf !== previous;
  useEffect(() => {
    if (!isRefreshed) return;
    setPrevious(null);
    if (due.length > 0) onConfirm(true);
  }, [isRefreshed, due.length, onConfirm]);
  if (preview === undefined) return null;
  const { groupId, asOf } = preview;
  const createOthers = async (currencies: readonly string[]): Promise<void> => {
    const made: Payout[] = [];
    for (const currency of currencies) {
      const body = { groupId, asOf, currency, exactly: true };
      made.push(...(await createPayout({ path: { publisherId }, body, throwOnError: true })).data.payouts);
    }
    setChange(null);
    toast(createdWords(made));
    onAgain();
    await queryClient.invalidateQueries();
  };
  const createLess = async (): Promise<void> => {
    const body = { groupId, asOf, ...(query.currency !== undefined && { currency: query.currency }) };
    const { data } = await createPayout({ path: { publisherId }, body, throwOnError: true });
    setChange(null);
    onConfirm(false);
    await show(data.payouts);
  };
  return (
    <>
      <CreateDialog
        opened={isConfirming}
        onClose={() => onConfirm(false)}
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
            onLess={createLess}
          />
        </Suspense>
      )}
    </>
  );
}
