import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { t } from '../ui/text.ts';

/** Placeholders in the shape of what is loading: one for each height, in pixels. Low ones are headings. */
export function Skeletons({ heights }: { heights: readonly number[] }) {
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden role="status">{t('Loading')}</VisuallyHidden>
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change their order
        <Skeleton key={at} height={height} width={height < 44 ? '45%' : '100%'} radius="md" />
      ))}
    </Stack>
  );
}
