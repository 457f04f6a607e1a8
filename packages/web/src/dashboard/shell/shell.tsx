import { ActionIcon, AppShell, Box, Burger, Button, Group, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Announcements, announce } from '../../ui/announce.tsx';
import { Icon } from '../../ui/icons.tsx';
import { listenForKeys, useKeys } from '../../ui/keys.ts';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import type { Query } from '../../ui/query-string.ts';
import { t } from '../../ui/text.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { catchTyping } from './catch-typing.ts';
import { GroupChoice } from './group-choice.tsx';
import { Navigation } from './navigation.tsx';
import { PublisherSwitch } from './publisher-switch.tsx';
import classes from './shell.module.css';

const UserMenu = lazy(() => import('./user-menu.tsx').then((found) => ({ default: found.UserMenu })));
const Bell = lazy(() => import('./bell.tsx').then((found) => ({ default: found.Bell })));
// What opens over the screens is loaded when it is first asked for.
const loadSearch = () => import('./search-dialog.tsx').then((found) => ({ default: found.SearchDialog }));
const SearchDialog = lazy(loadSearch);
const SandboxBanner = lazy(() =>
  import('../sandbox/sandbox-banner.tsx').then((found) => ({ default: found.SandboxBanner })),
);
const KeyHelp = lazy(() => import('./key-help.tsx').then((found) => ({ default: found.KeyHelp })));

/** What surrounds every screen of a publisher. */
export function Shell() {
  const { publisherId, may, sandboxOf } = usePublisher();
  const [isOpen, { toggle, close }] = useDisclosure();
  const [helpOpen, setHelpOpen] = useState(false);
  const [searches, setSearches] = useState(0);
  const openSearch = useCallback(() => {
    if (document.activeElement?.matches('input[data-search]') !== true) catchTyping();
    setSearches((count) => count + 1);
  }, []);
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useGoKeys(publisherId, may, { openHelp: () => setHelpOpen(true), openSearch });
  useHotkeys([['mod+K', openSearch]], []);
  // What is typed right after the keys must not be lost while it is fetched.
  useEffect(() => {
    const timer = setTimeout(() => void loadSearch(), 1_000);
    return () => clearTimeout(timer);
  }, []);
  useEffect(listenForKeys, []);
  useArrival(path, main, close);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'md', lg: 'lg' }}
    >
      <Button component="a" href="#main" className={classes.skip} onClick={() => main.current?.focus()}>
        {t('Skip to the content')}
      </Button>
      <AppShell.Header px={{ base: 'xs', sm: 'md' }}>
        <Group h="100%" wrap="nowrap" justify="space-between" gap="xs">
          <Group wrap="nowrap" gap="xs" className={classes.start}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? t('Close the navigation') : t('Open the navigation')}
            />
            <PublisherSwitch />
            <Box visibleFrom="sm">
              <GroupChoice />
            </Box>
          </Group>
          <Group wrap="nowrap" gap={4}>
            <Button
              visibleFrom="sm"
              variant="default"
              leftSection={<Icon name="search" size={16} />}
              rightSection={<Kbd size="xs">{/Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}</Kbd>}
              onClick={openSearch}
            >
              {t('Search')}
            </Button>
            <ActionIcon
              hiddenFrom="sm"
              variant="default"
              size={36}
              aria-label={t('Search')}
              onClick={openSearch}
            >
              <Icon name="search" />
            </ActionIcon>
            {may('webhooks') && (
              <Suspense fallback={<span className={classes.button} />}>
                <Bell />
              </Suspense>
            )}
            <Suspense fallback={<span className={classes.button} />}>
              <UserMenu onKeys={() => setHelpOpen(true)} />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('Screens')}>
        <Box hiddenFrom="sm" mb="xs">
          <GroupChoice />
        </Box>
        <Navigation onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main as never} tabIndex={-1} className={classes.main}>
        {sandboxOf !== null && (
          <Suspense fallback={<div className={classes.banner} />}>
            <SandboxBanner />
          </Suspense>
        )}
        <Suspense fallback={<LateSkeleton />}>
          {/* Another publisher's rows must not stay in sight while its own are asked for. */}
          <Outlet key={publisherId} />
        </Suspense>
      </AppShell.Main>
      <Suspense>
        {searches > 0 && <SearchDialog asked={searches} />}
        {helpOpen && <KeyHelp opened onClose={() => setHelpOpen(false)} />}
      </Suspense>
      <Announcements />
    </AppShell>
  );
}

/** G and a letter go to a screen; `/` searches the list, or everything; `?` shows the keys. */
function useGoKeys(publisherId: string, may: (permission: string) => boolean, doors: Doors): void {
  const navigate = useNavigate();
  const go = screens
    .filter(({ permission }) => may(permission))
    .map(({ letter, path }) => [
      `g ${letter}`,
      () =>
        void navigate({
          to: `/p/$publisherId/${path}`,
          params: { publisherId } as never,
          search: (({ group }: Query) => (group === undefined ? {} : { group })) as never,
        }),
    ]);
  const filter = (): void => {
    const field = document.querySelector<HTMLElement>('#main [data-filter]');
    if (field === null) doors.openSearch();
    else field.focus();
  };
  useKeys({ ...Object.fromEntries(go), '?': doors.openHelp, '/': filter });
}

interface Doors {
  openHelp(): void;
  openSearch(): void;
}

/** A new screen is said aloud and gets the focus, as a new page would. */
function useArrival(path: string, main: RefObject<HTMLElement | null>, close: () => void): void {
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the path that moves
  useEffect(() => {
    close();
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    main.current?.focus({ preventScroll: true });
    // The heading is there when the screen's code has come.
    const timer = setTimeout(() => announce(document.title), 300);
    return () => clearTimeout(timer);
  }, [path]);
}
