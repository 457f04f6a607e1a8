import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { revealPayeeMethod } from '../../client/sdk.gen.ts';
import type { PayeeMethod } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useMe, usePublisher } from '../session/session.ts';
import { MethodNote } from './method-note.tsx';

const ApproveDialog = lazy(() =>
  import('./change-dialogs.tsx').then((found) => ({ default: found.ApproveDialog })),
);
const EndDialog = lazy(() => import('./change-dialogs.tsx').then((found) => ({ default: found.EndDialog })));

/** Payout method with its actions. The person who entered a method can't approve it. */
export function MethodRow({ method }: { method: PayeeMethod }) {
  const { publisherId, may } = usePublisher();
  const { id: userId } = useMe();
  const [open, setOpen] = useState<'approve' | 'end' | null>(null);
  const close = (): void => setOpen(null);
  const { state, methodId, enteredBy } = method;
  const reveal = useMutation({
    mutationFn: async () =>
      (await revealPayeeMethod({ path: { publisherId, methodId }, throwOnError: true })).data,
    gcTime: 0,
  });
  const isOwn = enteredBy.kind === 'staff' && enteredBy.id === userId;
  return (
    <div>
      <MethodNote method={method} />
      {reveal.data !== undefined && (
        <Text size="sm" mt={4}>
          {[
            reveal.data.holderName,
            reveal.data.country,
            reveal.data.email ?? reveal.data.iban,
            reveal.data.bic,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
      {reveal.error !== null && <ErrorNotice error={reveal.error} title={t('Couldn’t show the account')} />}
      {may('payees') && (
        <Group gap="xs" mt={4}>
          {state === 'Waiting' && !isOwn && (
            <Button size="compact-sm" onClick={() => setOpen('approve')}>
              {t('Approve…')}
            </Button>
          )}
          {!method.isAccountDeleted && (
            <Button
              size="compact-sm"
              variant="default"
              loading={reveal.isPending}
              onClick={() => (reveal.data === undefined ? reveal.mutate() : reveal.reset())}
            >
              {reveal.data === undefined ? t('Show account') : t('Hide account')}
            </Button>
          )}
          {state !== 'Ended' && (
            <Button size="compact-sm" variant="default" onClick={() => setOpen('end')}>
              {t('Remove…')}
            </Button>
          )}
          {state === 'Waiting' && isOwn && (
            <Text size="xs" c="dimmed">
              {t('You entered this method, so another person must approve it.')}
            </Text>
          )}
        </Group>
      )}
      <Suspense>
        {open === 'approve' && <ApproveDialog method={method} onClose={close} />}
        {open === 'end' && <EndDialog method={method} onClose={close} />}
      </Suspense>
    </div>
  );
}
