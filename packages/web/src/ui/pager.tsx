import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Icon } from './icons.tsx';
import type { Query } from './query-string.ts';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';

const sizes = ['50', '100', '250'];

export const limitOf = (query: Query): 50 | 100 | 250 =>
  query.limit === '100' ? 100 : query.limit === '250' ? 250 : 50;

/** Buttons that use the list's cursors to show newer and older rows, and a page size selector. */
export function Pager({ nextCursor, isBusy }: { nextCursor: string | null; isBusy: boolean }) {
  const { query, setQuery } = useUrlState();
  const navigate = useNavigate();
  // Cursors only point forward, so the trail of visited pages is used to go back.
  const trail = useLocation({ select: ({ state }) => (state as { trail?: string[] }).trail ?? [] });
  const go = (cursor: string | undefined, nextTrail: string[]): void =>
    void navigate({
      to: '.',
      search: ((before: Query) => ({ ...before, cursor, open: undefined })) as never,
      state: { trail: nextTrail } as never,
    });
  const isFirst = query.cursor === undefined;
  if (isFirst && nextCursor === null && query.limit === undefined) return null;
  return (
    <Group justify="space-between" mt="sm" component="nav" aria-label={t('Pages of this list')}>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={isFirst || isBusy}
          leftSection={<Icon name="left" size={14} />}
          onClick={() => go(trail.at(-1) || undefined, trail.slice(0, -1))}
        >
          {isFirst || trail.length > 0 ? t('Newer') : t('Newest')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={nextCursor === null || isBusy}
          rightSection={<Icon name="right" size={14} />}
          onClick={() => nextCursor !== null && go(nextCursor, [...trail, query.cursor ?? ''])}
        >
          {t('Older')}
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
