import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from './icons.tsx';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';

export interface FilterTextProps {
  /** URL parameter. */
  name: string;
  label: string;
  placeholder?: string;
  /** Returns whether the text is complete enough to filter by. If absent, any text is complete. */
  isComplete?: (text: string) => boolean;
  /** True for the field that `/` focuses. Each screen may have only one such field. */
  isMain?: boolean;
}

interface FieldProps extends FilterTextProps {
  /** Shows the label in the field instead of above it, as in the search field of a phone. */
  isBare?: boolean;
}

/** Text filter for a list. The text is written to the URL shortly after typing stops. */
export function FilterText({
  name,
  label,
  placeholder,
  isComplete = () => true,
  isMain = false,
  isBare = false,
}: FieldProps) {
  const { query, setQuery } = useUrlState();
  const applied = query[name] ?? '';
  const [text, setText] = useState(applied);
  // The Back button or a link may change the filter.
  useEffect(() => setText(applied), [applied]);
  const apply = useDebouncedCallback((typed: string) => {
    if (typed === '' || isComplete(typed)) setQuery({ [name]: typed || null }, 'replace');
  }, 300);
  const change = (typed: string): void => {
    setText(typed);
    apply(typed.trim());
  };
  return (
    <TextInput
      {...(isBare
        ? { 'aria-label': label, placeholder: label, leftSection: <Icon name="search" size={16} /> }
        : { label, placeholder })}
      // Phones would correct IDs and codes as if they were words.
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="search"
      value={text}
      data-filter={isMain || undefined}
      data-wide={placeholder !== undefined || undefined}
      onChange={({ currentTarget: { value } }) => change(value)}
      error={text !== '' && !isComplete(text.trim()) ? t('Incomplete') : undefined}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            data-clear
            aria-label={t('Clear {label}', { label })}
            onClick={() => change('')}
          />
        )
      }
    />
  );
}
