import { ActionIcon, AppShell, Box, Burger, Button, Group, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Announcements, announce } from '../../ui/announce.tsx';
import { EmptyFooter } from '../../ui/empty-footer.ts';
import { Icon } from '../../ui/icons.tsx';
import { listenForKeys, useKeys } from '../../ui/keys.ts';
import type { Query } from '../../ui/query-string.ts';
import { TitleChoice } from '../../ui/screen-page.tsx';
import { LateSkeleton } from '../../ui/skeletons.tsx';
import { t } from '../../ui/text.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { catchTyping } from './catch-typing.ts';
import { GroupChoice, hasGroupChoice } from './group-choice.tsx';
import { Navigation } from './navigation.tsx';
import { PublisherSwitch } from './publisher-switch.tsx';
import classes from './shell.module.css';

const UserMenu = lazy(() => import('./user-menu.tsx').then((found) => ({ default: found.UserMenu })));
const Bell = lazy(() => import('./bell.tsx').then((found) => ({ default: found.Bell })));
const DemoLine = lazy(() =>
  import('../first-steps/first-purchase.tsx').then((found) => ({ default: found.DemoLine })),
);
// Dialogs over the screens are loaded on first use.
const loadSearch = () => import('./search-dialog.tsx').then((found) => ({ default: found.SearchDialog }));
const SearchDialog = lazy(loadSearch);
const SandboxBanner = lazy(() =>
  import('../sandbox/sandbox-banner.tsx').then((found) => ({ default: found.SandboxBanner })),
);
const PullToRefresh = lazy(() =>
  import('../../ui/pull-to-refresh.tsx').then((found) => ({ default: found.PullToRefresh })),
);
const KeyHelp = lazy(() => import('./key-help.tsx').then((found) => ({ default: found.KeyHelp })));

/** Screens on which demo data shows nothing more, or that offer it in their own way. They don't load the offer. */
const withoutDemo: readonly (string | undefined)[] = ['sandbox', 'team', 'settings'];
const demoLine = (
  <Suspense>
    <DemoLine />
  </Suspense>
);

export function Shell() {
  const { publisherId, may, sandboxOf, rehearses } = usePublisher();
  const [isOpen, { toggle, close }] = useDisclosure();
  const [helpOpen, setHelpOpen] = useState(false);
  const [searches, setSearches] = useState(0);
  const openSearch = useCallback(() => {
    if (document.activeElement?.matches('input[data-search]') !== true) catchTyping();
    setSearches((count) => count + 1);
  }, []);
  const hasTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const queryClient = useQueryClient();
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const screen = path.split('/')[3];
  useGoKeys(publisherId, may, { openHelp: () => setHelpOpen(true), openSearch });
  useHotkeys([['mod+K', openSearch]], []);
  // Loaded early so that the search opens instantly.
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
        {t('Skip to content')}
      </Button>
      <AppShell.Header px={{ base: 'xs', sm: 'md' }}>
        <Group h="100%" wrap="nowrap" justify="space-between" gap="xs">
          <Group wrap="nowrap" gap="xs" className={classes.start}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? t('Close navigation') : t('Open navigation')}
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
            <Suspense fallback={<span className={classes.button} />}>
              <Bell />
            </Suspense>
            <Suspense fallback={<span className={classes.button} />}>
              <UserMenu onKeys={() => setHelpOpen(true)} />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('Screens')}>
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main as never} tabIndex={-1} className={classes.main}>
        {sandboxOf !== null && (
          <Suspense fallback={<div className={rehearses ? classes.guide : classes.banner} />}>
            <SandboxBanner />
          </Suspense>
        )}
        <TitleChoice value={hasGroupChoice(screen) ? <GroupChoice /> : null}>
          <Suspense fallback={<LateSkeleton />}>
            {/* The previous publisher's rows must not stay visible while the next publisher's rows are
                loading. */}
            <EmptyFooter value={sandboxOf === null && !withoutDemo.includes(screen) ? demoLine : null}>
              <Outlet key={publisherId} />
            </EmptyFooter>
          </Suspense>
        </TitleChoice>
      </AppShell.Main>
      <Suspense>
        {searches > 0 && <SearchDialog openCount={searches} />}
        {hasTouch && <PullToRefresh onRefresh={() => queryClient.refetchQueries({ type: 'active' })} />}
        {helpOpen && <KeyHelp opened onClose={() => setHelpOpen(false)} />}
      </Suspense>
      <Announcements />
    </AppShell>
  );
}

/**
 * Registers the shortcuts. G and a letter open a screen, `/` filters or searches, and `?` shows the
 * shortcuts.
 */
function useGoKeys(publisherId: string, may: (permission: string) => boolean, actions: ShellActions): void {
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
    if (field === null) actions.openSearch();
    else field.focus();
  };
  useKeys({ ...Object.fromEntries(go), '?': actions.openHelp, '/': filter });
}

interface ShellActions {
  openHelp(): void;
  openSearch(): void;
}

/** Announces a new screen to screen readers and focuses it, just as a browser does for a new page. */
function useArrival(path: string, main: RefObject<HTMLElement | null>, close: () => void): void {
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => {
    close();
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    main.current?.focus({ preventScroll: true });
    // The title is set once the screen's code is loaded.
    const timer = setTimeout(() => announce(document.title), 300);
    return () => clearTimeout(timer);
  }, [path]);
}
