import { Stack } from '@mantine/core';
import { Bar, Late } from '../ui/late.tsx';

interface SkeletonsProps {
  /** Heights of the parts of what is loading, in pixels. Low ones are headings. */
  heights: readonly number[];
  /** True if the page already has a placeholder. */
  isSilent?: boolean;
}

/** Placeholders in the shape of what is loading. */
export function Skeletons({ heights, isSilent = false }: SkeletonsProps) {
  const total = heights.reduce((sum, height) => sum + height, 12 * (heights.length - 1));
  return (
    <Late minHeight={total} isSilent={isSilent}>
      <Stack gap="sm">
        {heights.map((height, at) => (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change their order
            key={at}
            width={height < 44 ? '45%' : '100%'}
            height={`${height}px`}
            radius="var(--mantine-radius-md)"
          />
        ))}
      </Stack>
    </Late>
  );
}
