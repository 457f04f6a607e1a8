import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { announce } from '../../../ui/announce.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePublisher } from '../../session/session.ts';
import { useFound } from '../../use-found.ts';
import { type PurchaseChoice, purchaseChoices } from './purchase-choices.ts';
import classes from './purchase-search.module.css';

/** Name of the field, which says what can be typed. */
export const searchLabel = (): string => t('Purchase ID, code, or creator');

/**
 * Search for purchases of one ID, code, or creator. It suggests what starts with the typed text, and each suggestion sets
 * one filter. Enter sets the highlighted one, or the first one as soon as the service has answered.
 */
export function PurchaseSearch() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const isNarrow = useNarrow();
  const store = useCombobox();
  const optionId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  /** True if Enter was pressed before the service answered. */
  const [isEntered, setEntered] = useState(false);
  const typed = text.trim();
  const { found, isBusy, hasFailed } = useFound({ publisherId, group: query.group }, typed);
  const choices = isBusy ? [] : purchaseChoices(typed, found, query.group);
  const idOf = (index: number): string => `${optionId}-${index}`;
  const isOpen = store.dropdownOpened && typed !== '';
  const choose = ({ filter, value, label, kind, isElsewhere }: PurchaseChoice): void => {
    change('');
    // A payout is a filter of one creator.
    setQuery({
      [filter]: value,
      ...(filter !== 'id' && { payout: null }),
      ...(isElsewhere && { group: null }),
    });
    announce(t('Filter added: {filter}', { filter: kind === undefined ? label : `${label}, ${kind}` }));
  };
  const change = (next: string): void => {
    setText(next);
    setActive(0);
    setEntered(false);
    if (next.trim() === '') store.closeDropdown();
    else store.openDropdown();
  };
  const [first] = choices;
  useEffect(() => {
    if (isEntered && first !== undefined) choose(first);
  });
  const move = (by: number): void => {
    store.openDropdown();
    if (!isOpen || choices.length === 0) return;
    const next = (active + by + choices.length) % choices.length;
    setActive(next);
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
  };
  const enter = (): void => {
    const chosen = isOpen ? choices[active] : first;
    if (chosen !== undefined) choose(chosen);
    else if (typed !== '') setEntered(true);
  };
  const leave = (): void => {
    setEntered(false);
    if (isOpen) store.closeDropdown();
    else change('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, nativeEvent } = event;
    if (nativeEvent.isComposing || (key === 'Escape' && text === '')) return;
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Enter') enter();
    else if (key === 'Escape') leave();
    else return;
    event.preventDefault();
  };
  return (
    <Combobox
      store={store}
      position="bottom-start"
      width={isNarrow ? 'calc(100vw - 2rem)' : 'target'}
      onOptionSubmit={(key) => {
        const chosen = choices.find((each) => each.key === key);
        if (chosen !== undefined) choose(chosen);
      }}
    >
      <Combobox.Target
        withExpandedAttribute
        withKeyboardNavigation={false}
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && choices.length > 0 ? idOf(active) : undefined}
      >
        <TextInput
          aria-label={searchLabel()}
          placeholder={searchLabel()}
          className={classes.field}
          leftSection={<Icon name="search" size={16} />}
          // Phones would correct IDs and codes as if they were words.
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={255}
          data-filter
          value={text}
          onChange={({ currentTarget: { value } }) => change(value)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            store.closeDropdown();
            setEntered(false);
          }}
          rightSection={
            text === '' ? null : (
              <CloseButton
                size="sm"
                data-clear
                aria-label={t('Clear {label}', { label: searchLabel() })}
                onClick={() => change('')}
              />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        {isBusy && <Combobox.Empty role="status">{t('Searching…')}</Combobox.Empty>}
        {!isBusy && hasFailed && (
          <Combobox.Empty role="alert">
            {t('Couldn’t search. Try again, or use the exact text.')}
          </Combobox.Empty>
        )}
        <Combobox.Options aria-label={t('Suggestions')} className={classes.options}>
          {choices.map((choice, index) => (
            <Combobox.Option
              key={choice.key}
              id={idOf(index)}
              value={choice.key}
              selected={index === active}
              aria-selected={index === active}
            >
              {choice.label}
              {choice.kind !== undefined && (
                <span className={classes.kind}>
                  {' · '}
                  {choice.kind}
                </span>
              )}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
