import { Box, Button, Group } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import classes from './filter-bar.module.css';
import { Icon } from './icons.tsx';
import { ToolRow } from './screen-page.tsx';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';

interface FilterPanelProps {
  /** URL parameters of the filters, used to count the filters that are set. */
  names: readonly string[];
  /** Search field, which a phone shows beside the button. */
  search?: ReactNode;
  children: ReactNode;
}

/**
 * Filters of a list. On a phone, the filters are behind a button that shows the number of filters set, beside the search or,
 * without one, beside the screen's tools.
 */
export function FilterPanel({ names, search, children }: FilterPanelProps) {
  const isNarrow = useNarrow();
  const [isOpen, { toggle }] = useDisclosure();
  const { query } = useUrlState();
  const id = useId();
  const toolRow = useContext(ToolRow);
  if (!isNarrow) return <Box mb="md">{children}</Box>;
  // The start and the end of a period are one filter.
  const isSet = (name: string): boolean =>
    query[name] !== undefined && !(name === 'until' && query.from !== undefined);
  const count = names.filter(isSet).length;
  const button = (
    <Button
      variant="default"
      aria-expanded={isOpen}
      aria-controls={id}
      leftSection={<Icon name="filter" size={16} />}
      onClick={toggle}
    >
      {count === 0 ? t('Filters') : t('Filters ({count})', { count })}
    </Button>
  );
  return (
    <>
      {search !== undefined ? (
        <Group
          gap="xs"
          className={classes.phone}
          w="100%"
          wrap="nowrap"
          align="flex-start"
          role="group"
          aria-label={t('Filters')}
        >
          <Box flex={1}>{search}</Box>
          {button}
        </Group>
      ) : toolRow === undefined ? (
        <Box className={classes.phone}>{button}</Box>
      ) : (
        toolRow && createPortal(button, toolRow)
      )}
      <Box id={id} mb="md" w={search === undefined ? undefined : '100%'} hidden={!isOpen}>
        {isOpen && children}
      </Box>
    </>
  );
}
