import { ActionIcon, Text } from '@mantine/core';
import type { NamedTag } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import classes from './creators.module.css';

interface TagChipsProps {
  tags: readonly NamedTag[];
  /** Maximum number of tags to show; all when absent. */
  limit?: number;
  onRemove?: ((tag: NamedTag) => void) | undefined;
}

export function TagChips({ tags, limit = tags.length, onRemove }: TagChipsProps) {
  const more = tags.length - limit;
  return (
    <>
      {tags.slice(0, limit).map((tag) => (
        <span key={tag.id} className={classes.tag}>
          <span>{tag.name}</span>
          {onRemove !== undefined && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={t('Remove tag {tag}', { tag: tag.name })}
              onClick={() => onRemove(tag)}
            >
              <Icon name="cross" size={14} />
            </ActionIcon>
          )}
        </span>
      ))}
      {more > 0 && (
        <Text
          span
          size="sm"
          c="dimmed"
          title={tags
            .slice(limit)
            .map(({ name }) => name)
            .join(', ')}
        >
          {t('+{more} more', { more })}
        </Text>
      )}
    </>
  );
}
