import { Button } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../ui/announce.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';

/** Button that copies a code. */
export function CopyCode({ code, isMain }: { code: string; isMain: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    announce(t('Copied'));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button
      size="md"
      variant={isMain ? 'filled' : 'default'}
      leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
      aria-label={t('Copy {code}', { code })}
      onClick={() => void copy().catch(() => undefined)}
    >
      {isCopied ? t('Copied') : t('Copy')}
    </Button>
  );
}
