import { ActionIcon, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { announce } from './announce.tsx';
import { Icon } from './icons.tsx';
import { formatCount } from './percent.tsx';
import { t } from './text.ts';

interface RowStepsProps {
  /** Position of the open row, starting at 1. */
  row: number;
  rows: number;
  /** True if there are more rows on a page that is not loaded. */
  hasMore?: boolean;
  isFirst: boolean;
  isLast: boolean;
  onStep(by: 1 | -1): void;
}

/** Position of the open row in its list, and buttons that open the previous and the next row. */
export function RowSteps({ row, rows, hasMore = false, isFirst, isLast, onStep }: RowStepsProps) {
  const position = t('{row} of {rows}', {
    row: formatCount(row),
    rows: `${formatCount(rows)}${hasMore ? '+' : ''}`,
  });
  const announced = useRef(position);
  useEffect(() => {
    if (announced.current === position) return;
    announced.current = position;
    announce(position);
  }, [position]);
  const step = (by: 1 | -1, isEnd: boolean, label: string) => (
    // Not `disabled`, because a disabled button would lose the focus.
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={label}
      title={`${label} (${by === 1 ? 'J' : 'K'})`}
      data-disabled={isEnd || undefined}
      {...(isEnd && { bg: 'transparent' })}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onStep(by)}
    >
      <Icon name={by === 1 ? 'down' : 'up'} size={16} />
    </ActionIcon>
  );
  return (
    <Group gap={0} wrap="nowrap" role="group" aria-label={t('Rows of the list')}>
      <Text size="sm" c="dimmed" mr={4} style={{ whiteSpace: 'nowrap' }}>
        {position}
      </Text>
      {step(-1, isFirst, t('Previous row'))}
      {step(1, isLast, t('Next row'))}
    </Group>
  );
}
