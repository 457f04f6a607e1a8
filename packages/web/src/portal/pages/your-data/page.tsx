import { Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../ui/text.ts';
import { YouPage } from '../../you-page.tsx';
import { ConfirmErasure } from './confirm-erasure.tsx';
import { ConfirmDownload, Download } from './download.tsx';
import { ErasureSection } from './erasure.tsx';

/** Emailed code that the page waits for. */
interface Asked {
  action: 'download' | 'erase';
  /** Address that the code was sent to. */
  email: string;
}

/** Page with the file of everything that is stored about the person, and the request to erase it. */
export function Page() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [allowedUntil, setAllowedUntil] = useState<string | null>(null);
  const back = (): void => setAsked(null);
  if (asked?.action === 'download')
    return (
      <ConfirmDownload
        email={asked.email}
        onAllowed={(until) => {
          setAllowedUntil(until);
          back();
        }}
        onBack={back}
      />
    );
  if (asked !== null) return <ConfirmErasure email={asked.email} onDone={back} />;
  return (
    <YouPage title={t('Your data')}>
      <Stack gap="xl">
        <Download
          allowedUntil={allowedUntil}
          onEnded={() => setAllowedUntil(null)}
          onAsked={(email) => setAsked({ action: 'download', email })}
        />
        <ErasureSection onAsked={(email) => setAsked({ action: 'erase', email })} />
      </Stack>
    </YouPage>
  );
}
