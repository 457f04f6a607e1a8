// In no layer: it comes after the components' styles, and in their layer would stand before them (index.html).
import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { onSearchText, searchText, setSearchText, stopCatching } from './catch-typing.ts';
import { actionsNamed, offersFor } from './search-actions.ts';
import { useFound } from './use-found.ts';

const [store, dialog] = createSpotlight();

/**
 * ⌘K: what has exactly this id first, then codes and names that begin so, then what can be done, screens, and what can be
 * asked about a text that nothing has.
 * @param asked how often it was asked for: it opens each time
 */
export function SearchDialog({ asked }: { asked: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens when it is asked for once more
  useEffect(() => dialog.open(), [asked]);
  useEffect(() => stopCatching, []);
  const text = useSyncExternalStore(onSearchText, searchText);
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
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
  // While the service looks, Enter must not open what is about a text that nothing has.
  const offers = isBusy ? [] : offersFor(text.trim(), query.group, may);
  const first = wanted === '' ? undefined : [...found, ...actions, ...places, ...offers].map(keyOf)[0];
  useEffect(() => {
    if (first !== undefined) chooseFirst();
  }, [first]);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setSearchText}
      onSpotlightClose={stopCatching}
      shortcut={null}
      clearQueryOnClose={false}
      scrollable
    >
      <Spotlight.Search
        placeholder={t('An order, a creator, a code, a delivery …')}
        aria-label={t('Search')}
        data-search
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {found.map(({ key, kind, title, about, href, icon }) => (
          <Spotlight.Action
            key={key}
            label={title}
            description={about}
            leftSection={<Icon name={icon} />}
            onClick={() => go(kind === 'code' ? inGroup(href, query.group) : href)}
          />
        ))}
        {actions.map((action) => (
          <Spotlight.Action
            key={action.key}
            label={action.title}
            leftSection={<Icon name={action.icon} />}
            onClick={() => go(below(action.to))}
          />
        ))}
        {places.map(({ path, title, icon }) => (
          <Spotlight.Action
            key={path}
            label={t('Go to {screen}', { screen: t(title) })}
            leftSection={<Icon name={icon} />}
            onClick={() => go(below(path))}
          />
        ))}
        {offers.map((offer) => (
          <Spotlight.Action
            key={offer.key}
            label={offer.title}
            leftSection={<Icon name={offer.icon} />}
            onClick={() => go(below(offer.to))}
          />
        ))}
        {found.length + actions.length + places.length + offers.length === 0 && (
          <Spotlight.Empty>
            {isBusy ? t('Looking …') : t('Nothing has this id, code or name')}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const keyOf = (each: { key: string } | { path: string }): string => ('key' in each ? each.key : each.path);

/** Spotlight chooses what is first while somebody types, and what is found comes after that: it is what Enter opens, too. */
function chooseFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** A code is checked in the group in which it was found to credit somebody, or to be refused. */
const inGroup = (href: string, group: string | undefined): string =>
  group === undefined ? href : `${href}&group=${encodeURIComponent(group)}`;
