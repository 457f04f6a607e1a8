import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from '../../../ui/hint.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import classes from './payouts.module.css';

interface CutoffRowProps {
  /** Cutoff of the preview; undefined while it is loading. */
  asOf: string | undefined;
  onRefresh(): void;
  /** More about the preview. */
  children?: ReactNode;
}

/** Cutoff of a preview, with a button that moves it to the current time. */
export function CutoffRow({ asOf, onRefresh, children }: CutoffRowProps) {
  const isNarrow = useNarrow();
  const refresh = { disabled: asOf === undefined, variant: 'default', onClick: onRefresh } as const;
  return (
    <Group gap="xs" wrap={isNarrow ? 'nowrap' : 'wrap'}>
      <Text size="sm" component="div">
        {t('Cutoff:')}{' '}
        {asOf === undefined ? (
          <Skeleton component="span" className={classes.cutoff} />
        ) : (
          <When at={asOf} precision="second" />
        )}
        <Hint about={t('Cutoff')}>
          {t(
            'Payouts created from this preview pay these amounts, regardless of new purchases. If an amount has dropped, you confirm it first.',
          )}
        </Hint>
      </Text>
      {isNarrow ? (
        <ActionIcon {...refresh} size={40} aria-label={t('Refresh preview')}>
          <Icon name="refresh" size={16} />
        </ActionIcon>
      ) : (
        <Button {...refresh} size="compact-sm" leftSection={<Icon name="refresh" size={14} />}>
          {t('Refresh preview')}
        </Button>
      )}
      {children}
    </Group>
  );
}
