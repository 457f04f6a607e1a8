import { Box, Button, CloseButton, Group, Menu, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './filter-bar.module.css';
import { FilterPanel } from './filter-panel.tsx';
import { FilterText, type FilterTextProps } from './filter-text.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';

/** Filter that is shown only if it is set or was added. */
export interface Filter {
  /** URL parameter. */
  name: string;
  label: string;
  field: ReactNode;
  /** Explanation in the menu: what the filter refers to, or why it can't be added. */
  hint?: string;
  isDisabled?: boolean;
  /** True if the menu doesn't offer it, because it is set in another way. */
  isUnlisted?: boolean;
}

export const textFilter = (props: FilterTextProps): Filter => ({
  ...nameOf(props),
  field: <FilterText {...props} />,
});

export const selectFilter = (props: FilterSelectProps): Filter => ({
  ...nameOf(props),
  field: <FilterSelect {...props} />,
});

const nameOf = ({ name, label }: Pick<Filter, 'name' | 'label'>) => ({ name, label });

interface FilterBarProps {
  /** Text to search for. It is the main field, and a phone shows it, too. `field` replaces the usual field. */
  search?: Omit<FilterTextProps, 'isMain'> & { field?: ReactNode };
  /** Other fields that are always shown, such as the period. */
  fields?: ReactNode;
  /** URL parameters of these fields. */
  fieldNames?: readonly string[];
  filters?: readonly Filter[];
  /** Choice of how rows are shown, such as their order. */
  arrangement?: ReactNode;
}

/**
 * Filters of a list. The main fields are always shown. If there are more than four fields, the others are added from a menu
 * and can be removed. A filter that the URL contains is shown, too. On a phone, all fields except the search are behind a
 * button.
 */
export function FilterBar({ search, fields, fieldNames = [], filters = [], arrangement }: FilterBarProps) {
  const isNarrow = useNarrow();
  const { query, setQuery } = useUrlState();
  const [added, setAdded] = useState<readonly string[]>([]);
  const menu = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const behindButton = [...fieldNames, ...filters.map(({ name }) => name)];
  const names = isNarrow || search === undefined ? behindButton : [search.name, ...behindButton];
  const isShown = ({ name, isUnlisted }: Filter): boolean =>
    query[name] !== undefined || (!isUnlisted && added.includes(name));
  const others = filters.filter((filter) => !filter.isUnlisted && !isShown(filter));
  const remove = (changed: readonly string[]): void => {
    setAdded(added.filter((name) => !changed.includes(name)));
    setQuery(Object.fromEntries(changed.map((name) => [name, null])));
    if (filters.length > 0) menu.current?.focus();
    else (bar.current?.querySelector('input, select') as HTMLElement | null)?.focus();
  };
  const clear = names.some((name) => query[name] !== undefined) && (
    <Button
      variant="subtle"
      color="gray"
      px={isNarrow ? 'xs' : 6}
      aria-label={t('Clear filters')}
      onClick={() => remove(names)}
    >
      {isNarrow ? t('Clear filters') : t('Clear')}
    </Button>
  );
  if (isNarrow)
    return (
      <FilterPanel
        names={names}
        search={search && (search.field ?? <FilterText {...search} isMain isBare />)}
      >
        <div className={classes.panel} data-has-search={search && true}>
          {fields}
          {filters.map(({ name, field }) => (
            <div key={name}>{field}</div>
          ))}
          {arrangement}
        </div>
        {clear}
      </FilterPanel>
    );
  return (
    <Group
      ref={bar}
      gap="xs"
      wrap="nowrap"
      align="flex-start"
      role="group"
      aria-label={t('Filters')}
      className={classes.bar}
    >
      <div className={classes.fields}>
        {search !== undefined && (
          <div className={classes.search}>{search.field ?? <FilterText {...search} isMain />}</div>
        )}
        {fields}
        {filters.filter(isShown).map((filter) => (
          <Shown
            key={filter.name}
            filter={filter}
            isNew={query[filter.name] === undefined}
            // A field whose text is deleted in order to type another one stays.
            onFocus={() => !added.includes(filter.name) && setAdded([...added, filter.name])}
            onRemove={() => remove([filter.name])}
          />
        ))}
        {filters.length > 0 && (
          <Menu position="bottom-start" width={240} returnFocus={false}>
            <Menu.Target>
              {/* Stays focusable when the last filter was added, so that removing one can return to it. */}
              <Button
                ref={menu}
                variant="default"
                px="xs"
                className={classes.add}
                data-disabled={others.length === 0 || undefined}
                aria-disabled={others.length === 0 || undefined}
                leftSection={<Icon name="plus" size={14} />}
              >
                {t('Add filter')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown hidden={others.length === 0}>
              {others.map(({ name, label, hint, isDisabled = false }) => (
                <Menu.Item key={name} disabled={isDisabled} onClick={() => setAdded([...added, name])}>
                  {label}
                  {hint !== undefined && (
                    <Text size="xs" c="dimmed">
                      {hint}
                    </Text>
                  )}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {clear}
      </div>
      {arrangement !== undefined && <div className={classes.arrangement}>{arrangement}</div>}
    </Group>
  );
}

interface ShownProps {
  filter: Filter;
  /** True if it was just added, so that its field is the next thing to use. */
  isNew: boolean;
  onFocus(): void;
  onRemove(): void;
}

function Shown({ filter: { label, field }, isNew, onFocus, onRemove }: ShownProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (wasNew.current) box.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, []);
  return (
    <Box ref={box} className={classes.chip} onFocus={onFocus}>
      {field}
      <CloseButton
        size="sm"
        className={classes.remove}
        aria-label={t('Remove filter {label}', { label })}
        onClick={onRemove}
      />
    </Box>
  );
}

interface FilterSelectProps {
  /** URL parameter. */
  name: string;
  label: string;
  /** Choice that removes the filter, such as "All". */
  all: string;
  /** The other choices: values of the parameter with their names. */
  choices: readonly (readonly [value: string, name: string])[];
  isDisabled?: boolean;
  /** True for the field that `/` focuses. */
  isMain?: boolean;
}

/** Milliseconds within which browsers take typed letters as one word. */
const typingPause = 1000;

/**
 * Returns a function that says how a choice changes the URL. Typing a choice's name selects a choice at each letter, of which
 * Back skips all but the last.
 */
export function useChoiceHistory(): () => 'push' | 'replace' {
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    const isTyping = performance.now() - changedAt.current < typingPause;
    changedAt.current = performance.now();
    return isTyping ? 'replace' : 'push';
  };
}

/** Filter of a list by one of several values. */
export function FilterSelect({
  name,
  label,
  all,
  choices,
  isDisabled = false,
  isMain = false,
}: FilterSelectProps) {
  const { query, setQuery } = useUrlState();
  const how = useChoiceHistory();
  return (
    <NativeSelect
      label={label}
      disabled={isDisabled}
      data-filter={isMain || undefined}
      value={query[name] ?? ''}
      data={[{ value: '', label: all }, ...choices.map(([value, each]) => ({ value, label: each }))]}
      onChange={({ currentTarget: { value } }) => setQuery({ [name]: value || null }, how())}
    />
  );
}
