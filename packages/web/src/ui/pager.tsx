import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { Icon } from './icons.tsx';
import type { Query } from './query-string.ts';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { usePages } from './use-pages.ts';

const sizes = ['50', '100', '250'];

export const limitOf = (query: Query): 50 | 100 | 250 =>
  query.limit === '100' ? 100 : query.limit === '250' ? 250 : 50;

/** Buttons that use the list's cursors to show the previous and next rows, and a page size selector. */
export function Pager({ nextCursor, isBusy }: { nextCursor: string | null; isBusy: boolean }) {
  const { query, setQuery } = useUrlState();
  const { isFirst, pagesBefore, hasNext, goBack, goOn } = usePages(nextCursor);
  if (isFirst && !hasNext && query.limit === undefined) return null;
  return (
    <Group justify="space-between" mt="sm" component="nav" aria-label={t('Pages of this list')}>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={isFirst || isBusy}
          leftSection={<Icon name="left" size={14} />}
          onClick={() => goBack()}
        >
          {isFirst || pagesBefore > 0 ? t('Previous') : t('First page')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!hasNext || isBusy}
          rightSection={<Icon name="right" size={14} />}
          onClick={() => goOn()}
        >
          {t('Next')}
        </Button>
      </Group>
      <Group gap="xs">
        <Text size="sm" component="label" htmlFor="page-size">
          {t('Rows')}
        </Text>
        <NativeSelect
          id="page-size"
          size="xs"
          data={sizes}
          value={String(limitOf(query))}
          onChange={({ currentTarget: { value } }) => setQuery({ limit: value === '50' ? null : value })}
        />
      </Group>
    </Group>
  );
}
