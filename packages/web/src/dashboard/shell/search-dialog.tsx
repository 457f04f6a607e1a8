// Imported outside any cascade layer. In the components' layer, the dialog's styles would precede the
// components' styles (index.html).
import '@mantine/spotlight/styles.css';
import { Kbd } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { usePreferences } from '../../ui/preferences.ts';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { useFound } from '../use-found.ts';
import { onSearchText, searchText, setSearchText, stopCatching } from './catch-typing.ts';
import { actionsNamed, offersFor } from './search-actions.ts';

const [store, dialog] = createSpotlight();

/**
 * Search dialog (⌘K). Lists exact ids first, then codes and names by prefix, then actions and screens, and last links
 * that use the text as a code. Before anything is typed, lists the frequent actions and all screens.
 * @param openCount number of times the search was requested; the dialog opens on each change
 */
export function SearchDialog({ openCount }: { openCount: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on each new request
  useEffect(() => dialog.open(), [openCount]);
  useEffect(() => stopCatching, []);
  const text = useSyncExternalStore(onSearchText, searchText);
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const isNarrow = useNarrow();
  const hasKeys = usePreferences().singleKeys && !isNarrow;
  const navigate = useNavigate();
  const { found, isBusy } = useFound({ publisherId, group: query.group }, text.trim());
  const go = (to: string): void => {
    dialog.close();
    void navigate({ href: to } as never);
  };
  const below = (to: string): string => `/p/${encodeURIComponent(publisherId)}/${to}`;
  const wanted = text.trim().toLowerCase();
  const places = screens.filter(
    ({ permission, title }) => may(permission) && t(title).toLowerCase().includes(wanted),
  );
  const actions = actionsNamed(wanted, may);
  // While the service searches, Enter must not open a link meant for text without matches.
  const offers = isBusy ? [] : offersFor(text.trim(), query.group, may);
  const isNothingFound = found.length + actions.length + places.length === 0;
  const first = wanted === '' ? undefined : [...found, ...actions, ...places, ...offers].map(keyOf)[0];
  useEffect(() => {
    if (first !== undefined) selectFirst();
  }, [first]);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setSearchText}
      onSpotlightClose={stopCatching}
      shortcut={null}
      clearQueryOnClose={false}
      // Blurring the page behind the dialog would delay each key by up to 100 ms on a computer without a graphics card.
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      scrollable
      // At the top of a phone, whose keyboard covers the lower half.
      {...(isNarrow && { centered: false, yOffset: 8 })}
    >
      <Spotlight.Search
        placeholder={
          isNarrow ? t('Purchase, creator, code…') : t('Purchase, creator, code, payout, or delivery…')
        }
        aria-label={t('Search')}
        data-search
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        <Results label={t('Found')}>
          {found.map(({ key, kind, title, about, href, icon }) => (
            <Spotlight.Action
              key={key}
              label={title}
              description={about}
              leftSection={<Icon name={icon} />}
              onClick={() => go(kind === 'code' ? inGroup(href, query.group) : href)}
            />
          ))}
        </Results>
        <Results label={t('Actions')}>
          {actions.map((action) => (
            <Spotlight.Action
              key={action.key}
              label={action.title}
              leftSection={<Icon name={action.icon} />}
              onClick={() => go(below(action.to))}
            />
          ))}
        </Results>
        <Results label={t('Go to')}>
          {places.map(({ path, title, icon, letter }) => (
            <Spotlight.Action
              key={path}
              label={t(title)}
              leftSection={<Icon name={icon} />}
              {...(hasKeys && { rightSection: <GoKeys letter={letter} /> })}
              onClick={() => go(below(path))}
            />
          ))}
        </Results>
        {isNothingFound && (
          <Spotlight.Empty>
            {isBusy ? t('Searching…') : t('No results for “{text}”', { text: text.trim() })}
          </Spotlight.Empty>
        )}
        <Results label={t('As a code')}>
          {offers.map((offer) => (
            <Spotlight.Action
              key={offer.key}
              label={offer.title}
              leftSection={<Icon name={offer.icon} />}
              onClick={() => go(below(offer.to))}
            />
          ))}
        </Results>
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Results of one kind with a heading; nothing without results. */
function Results({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup>;
}

/** Keys that open a screen from anywhere. Hidden from screen readers, which read the list of shortcuts instead. */
const GoKeys = ({ letter }: { letter: string }) => (
  <span aria-hidden>
    <Kbd>G</Kbd> <Kbd>{letter.toUpperCase()}</Kbd>
  </span>
);

const keyOf = (each: { key: string } | { path: string }): string => ('key' in each ? each.key : each.path);

/** Selects the first entry, so that Enter opens it. Spotlight selects an entry while typing, before the results arrive. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Adds the group in which the code was found, so that the code check uses that group. */
const inGroup = (href: string, group: string | undefined): string =>
  group === undefined ? href : `${href}&group=${encodeURIComponent(group)}`;
