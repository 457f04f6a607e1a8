import { Autocomplete } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { maxTagLength, useTags } from './use-tags.ts';

export interface TagInputProps {
  value: string;
  error?: string | undefined;
  /** Tags that are not suggested. */
  without?: readonly string[];
  description?: string;
  onChange(value: string): void;
}

/** Field for a tag, with suggestions from the publisher's tags. */
export function TagInput({ value, error, without = [], description, onChange }: TagInputProps) {
  const tags = useTags();
  return (
    <Autocomplete
      label={t('Tag')}
      name="tag"
      autoComplete="off"
      description={description}
      data={(tags.data?.rows ?? []).map(({ name }) => name).filter((name) => !without.includes(name))}
      limit={10}
      maxLength={maxTagLength}
      value={value}
      error={error}
      data-autofocus
      autoFocus
      onChange={onChange}
    />
  );
}
