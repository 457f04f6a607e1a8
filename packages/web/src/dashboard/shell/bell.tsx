import { ActionIcon, Indicator, Menu, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { When } from '../../ui/when.tsx';
import { type AttentionItem, useAttentionItems } from '../attention/attention-items.ts';
import { Mark } from '../attention/mark.tsx';
import { useScreenLink } from '../screen-link.tsx';
import classes from './bell.module.css';

/** Menu of the items that need attention, as on Overview. Each entry opens the item's screen. */
export function Bell() {
  const place = useLocation({ select: ({ href }) => href });
  const { items, error } = useAttentionItems();
  const count = items?.length ?? 0;
  const isFailing = items?.some(({ isTask }) => !isTask) ?? false;
  return (
    // A new menu for each place is closed, also after a key opened another screen or a row.
    <Menu key={place} position="bottom-end" width={340}>
      <Indicator
        disabled={count === 0}
        label={count > maxCount ? `${maxCount}+` : count}
        size={16}
        color={isFailing ? 'red' : 'accent'}
        offset={8}
      >
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={labelOf(items, error)}>
            <Icon name="bell" />
          </ActionIcon>
        </Menu.Target>
      </Indicator>
      <Menu.Dropdown className={classes.dropdown}>
        {count === 0 ? (
          // A menu needs an item. It is ordinary text, because nothing can be done.
          <Menu.Item disabled opacity={1} c="var(--mantine-color-text)">
            {labelOf(items, error)}
          </Menu.Item>
        ) : (
          <Menu.Label>{t('Needs attention')}</Menu.Label>
        )}
        {items?.map((item) => (
          <Entry key={item.key} item={item} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Largest number that the badge shows. */
const maxCount = 99;

function labelOf(items: readonly AttentionItem[] | undefined, error: unknown): string {
  if (items === undefined)
    return error === null
      ? t('Loading what needs your attention…')
      : t('Couldn’t load what needs your attention.');
  if (items.length === 0) return t('Nothing needs your attention.');
  return t('{count, plural, one {# item needs} other {# items need}} attention', { count: items.length });
}

function Entry({ item }: { item: AttentionItem }) {
  const { text, isTask, screen, query, since, note } = item;
  const link = useScreenLink(screen ?? '', query);
  const content = (
    <>
      <Text size="sm">{text}</Text>
      {typeof since === 'string' && (
        <Text size="xs" c="dimmed">
          {t('since')} <When at={since} />
        </Text>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
  const mark = <Mark isTask={isTask} />;
  return screen === null ? (
    <Menu.Item disabled opacity={1} c="var(--mantine-color-text)" leftSection={mark}>
      {content}
    </Menu.Item>
  ) : (
    <Menu.Item component="a" {...link} leftSection={mark}>
      {content}
    </Menu.Item>
  );
}
