import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from './text.ts';

/** Loading placeholder, shown after 200 ms so that fast responses don't flicker. */
export function LateSkeleton({ lines = 8 }: { lines?: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  const minHeight = lines * 36;
  if (!isLate) return <div style={{ minHeight }} />;
  return (
    <Stack gap="sm" mih={minHeight} aria-busy="true">
      <VisuallyHidden role="status">{t('Loading')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <Skeleton key={line} height={24} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}
