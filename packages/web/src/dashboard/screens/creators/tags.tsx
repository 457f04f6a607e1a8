import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Creator } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { TagChips } from './tag-chips.tsx';
import { TagField } from './tag-field.tsx';
import { tagError, useTagging } from './use-tags.ts';

/** Tags of a creator, which are the same in all groups. */
export function Tags({ creator }: { creator: Creator }) {
  const { may } = usePublisher();
  const [isAdding, setAdding] = useState(false);
  const { change, error, isBusy } = useOneTag(creator);
  const mayTag = may('notes');
  return (
    <Stack gap="xs">
      <Group gap={6}>
        {creator.tags.length === 0 && !mayTag && unknown}
        <TagChips
          tags={creator.tags}
          onRemove={mayTag ? ({ name }) => void change(name, false) : undefined}
        />
        {mayTag && !isAdding && (
          <Button
            variant="default"
            size="compact-sm"
            mih={26}
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setAdding(true)}
          >
            {t('Add tag')}
          </Button>
        )}
      </Group>
      {isAdding && (
        <NewTag
          creator={creator}
          isBusy={isBusy}
          onAdd={(tag) => change(tag, true)}
          onClose={() => setAdding(false)}
        />
      )}
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t change the tags')} />}
    </Stack>
  );
}

function useOneTag({ memberId, groupId, name }: Creator) {
  const tagging = useTagging();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    error,
    isBusy,
    /** @returns whether it succeeded */
    async change(tag: string, isTagged: boolean): Promise<boolean> {
      setBusy(true);
      setError(null);
      try {
        const [one] = await tagging({ members: [{ memberId, groupId }], tag, isTagged }, name);
        if (one === undefined) return true;
        const { outcome, message } = one;
        if (outcome === 'refused') setError(new Error(message ?? ''));
        return outcome !== 'refused';
      } catch (thrown) {
        setError(thrown);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

interface NewTagProps {
  creator: Creator;
  isBusy: boolean;
  /** @returns whether it succeeded */
  onAdd(tag: string): Promise<boolean>;
  onClose(): void;
}

function NewTag({ creator, isBusy, onAdd, onClose }: NewTagProps) {
  const [typed, setTyped] = useState('');
  const { errors, check } = useFormErrors({ tag: tagError(typed) });
  useUnsaved(typed);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy)
          void onAdd(typed).then((isDone) => {
            if (isDone) onClose();
          });
      }}
    >
      <Group align="flex-end" gap="xs">
        <TagField
          value={typed}
          error={errors.tag}
          without={creator.tags.map(({ name }) => name)}
          onChange={setTyped}
        />
        <Button type="submit" size="xs" loading={isBusy}>
          {t('Add tag')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Group>
    </form>
  );
}
