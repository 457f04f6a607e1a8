import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { t } from '../../../ui/text.ts';
import type { TagInputProps } from './tag-input.tsx';
import { maxTagLength } from './use-tags.ts';

/** Loaded on first use, because of its suggestions. */
const TagInput = lazy(() => import('./tag-input.tsx').then((found) => ({ default: found.TagInput })));

/** Field for a tag. It has no suggestions until they are loaded, but takes the focus and each letter from the start. */
export const TagField = (props: TagInputProps) => (
  <Suspense fallback={<PlainInput {...props} />}>
    <TagInput {...props} />
  </Suspense>
);

const PlainInput = ({ value, error, description, onChange }: TagInputProps) => (
  <TextInput
    label={t('Tag')}
    name="tag"
    autoComplete="off"
    description={description}
    maxLength={maxTagLength}
    value={value}
    error={error}
    data-autofocus
    autoFocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
