import { Button } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../ui/announce.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';

interface CopyCodeProps {
  code: string;
  isMain?: boolean;
  name?: string;
  /** Name for screen readers. */
  label?: string;
}

/** Button that copies a code, or its link. */
export function CopyCode({
  code,
  isMain = false,
  name = t('Copy'),
  label = t('Copy {code}', { code }),
}: CopyCodeProps) {
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
      aria-label={isCopied ? undefined : label}
      onClick={() => void copy().catch(() => undefined)}
    >
      {isCopied ? t('Copied') : name}
    </Button>
  );
}
