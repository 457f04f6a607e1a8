import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';

interface FilterTextProps {
  /** In the address. */
  name: string;
  label: string;
  placeholder?: string;
  /** Whether what is typed may be asked for already; everything may, without it. */
  isWhole?: (text: string) => boolean;
  /** Takes the focus when somebody presses `/`. One of a screen. */
  isMain?: boolean;
}

/** A text that a list is filtered by. It stands in the address a moment after somebody stopped typing. */
export function FilterText({
  name,
  label,
  placeholder,
  isWhole = () => true,
  isMain = false,
}: FilterTextProps) {
  const { query, setQuery } = useUrlState();
  const said = query[name] ?? '';
  const [text, setText] = useState(said);
  // Back, or a link, says it anew.
  useEffect(() => setText(said), [said]);
  const say = useDebouncedCallback((typed: string) => {
    if (typed === '' || isWhole(typed)) setQuery({ [name]: typed || null }, 'replace');
  }, 300);
  const change = (typed: string): void => {
    setText(typed);
    say(typed.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      data-filter={isMain || undefined}
      onChange={({ currentTarget: { value } }) => change(value)}
      error={text !== '' && !isWhole(text.trim()) ? t('Not complete') : undefined}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label={t('Clear {label}', { label })} onClick={() => change('')} />
        )
      }
    />
  );
}
