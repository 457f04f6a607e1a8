import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { useFound } from './use-found.ts';

const [store, dialog] = createSpotlight();

/**
 * ⌘K: what has exactly this id first, then codes and names that begin so, then screens and what can be done.
 * @param asked how often it was asked for: it opens each time
 * @param typed what was typed before its field was there
 */
export function SearchDialog({ asked, typed }: { asked: number; typed: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens when it is asked for once more
  useEffect(() => dialog.open(), [asked]);
  const [text, setText] = useState('');
  useEffect(() => {
    if (typed !== '') setText(typed);
  }, [typed]);
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const navigate = useNavigate();
  const { found, isBusy } = useFound({ publisherId, group: query.group }, text.trim());
  const go = (to: string): void => {
    dialog.close();
    void navigate({ href: to } as never);
  };
  const wanted = text.trim().toLowerCase();
  const places = screens.filter(
    ({ permission, title }) => may(permission) && t(title).toLowerCase().includes(wanted),
  );
  const first = wanted === '' ? undefined : (found[0]?.key ?? places[0]?.path);
  useEffect(() => {
    if (first !== undefined) chooseFirst();
  }, [first]);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      clearQueryOnClose
      scrollable
    >
      <Spotlight.Search
        placeholder={t('An order, a creator, a code, a delivery …')}
        aria-label={t('Search')}
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
        {places.map(({ path, title, icon }) => (
          <Spotlight.Action
            key={path}
            label={t('Go to {screen}', { screen: t(title) })}
            leftSection={<Icon name={icon} />}
            onClick={() => go(`/p/${encodeURIComponent(publisherId)}/${path}`)}
          />
        ))}
        {found.length + places.length === 0 && (
          <Spotlight.Empty>
            {isBusy ? t('Looking …') : t('Nothing has this id, code or name')}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

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
