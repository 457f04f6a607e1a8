import { Button, Menu, ScrollArea, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { chooseDefaultView } from '../../client/sdk.gen.ts';
import type { SavedView } from '../../client/types.gen.ts';
import { ErrorText } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Query } from '../../ui/query-string.ts';
import { stringifyQuery } from '../../ui/query-string.ts';
import { refresh } from '../../ui/refresh.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { usePublisher } from '../session/session.ts';
import { ViewDialogs } from './lazy-dialogs.ts';
import { useViews, type ViewDialog, type ViewList } from './use-views.ts';
import classes from './views.module.css';

interface ViewsMenuProps {
  list: ViewList;
  /** Parameters that lead to the list, such as its tab. */
  place?: Query;
}

const nowhere: Query = {};

/** Menu of a list's saved views. The URL contains the chosen view and its filters. */
export function ViewsMenu({ list, place = nowhere }: ViewsMenuProps) {
  const { publisherId, may } = usePublisher();
  const queryClient = useQueryClient();
  const views = useViews(list, place);
  const { data, error, chosen, isChanged, show } = views;
  const [dialog, setDialog] = useState<ViewDialog | null>(null);
  const own = data?.views.filter(({ isShared }) => !isShared) ?? [];
  const shared = data?.views.filter(({ isShared }) => isShared) ?? [];
  const mayChange = chosen !== null && (!chosen.isShared || may('views'));
  const isDefault = chosen !== null && chosen.viewId === data?.defaultViewId;

  const copyLink = async (view: SavedView): Promise<void> => {
    // A colleague can't see a private view, so its link contains the filters.
    const named = view.isShared ? { view: view.viewId } : view.query;
    await navigator.clipboard.writeText(
      `${window.location.origin}${window.location.pathname}${stringifyQuery({ ...place, ...named })}`,
    );
    toast(t('Link to {name} copied', { name: view.name }));
  };
  const chooseDefault = async (view: SavedView): Promise<void> => {
    const viewId = isDefault ? null : view.viewId;
    const previous = data?.defaultViewId ?? null;
    try {
      await chooseDefaultView({ path: { publisherId }, body: { list, viewId }, throwOnError: true });
      await refresh(queryClient, 'listViews');
      toast(
        viewId === null
          ? t('The list opens with all rows')
          : t('The list opens with {name}', { name: view.name }),
        () =>
          chooseDefaultView({ path: { publisherId }, body: { list, viewId: previous }, throwOnError: true }),
      );
    } catch {
      toast(t('Couldn’t change the view that the list opens with. Try again.'));
    }
  };
  const item = (view: SavedView) => (
    <Menu.Item
      key={view.viewId}
      aria-current={view === chosen || undefined}
      rightSection={view === chosen && <Icon name="check" size={14} />}
      onClick={() => show(view)}
    >
      {view.name}
      {view.viewId === data?.defaultViewId && (
        <Text size="xs" c="dimmed">
          {t('The list opens with this view')}
        </Text>
      )}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            className={classes.button}
            leftSection={<Icon name="views" size={16} />}
            rightSection={<Icon name="down" size={14} />}
          >
            {chosen === null
              ? t('Views')
              : isChanged
                ? t('{name} (changed)', { name: chosen.name })
                : chosen.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ScrollArea.Autosize mah="min(20rem, 50vh)" type="auto">
            <Menu.Item
              aria-current={chosen === null || undefined}
              rightSection={chosen === null && <Icon name="check" size={14} />}
              onClick={() => show(null)}
            >
              {t('All rows')}
            </Menu.Item>
            {error !== null && data === undefined && (
              <Text size="sm" p="xs" component="div">
                <ErrorText error={error} />
              </Text>
            )}
            {own.length > 0 && <Menu.Label>{t('Your views')}</Menu.Label>}
            {own.map(item)}
            {shared.length > 0 && <Menu.Label>{t('Shared with the team')}</Menu.Label>}
            {shared.map(item)}
          </ScrollArea.Autosize>
          <Menu.Divider />
          {mayChange && isChanged && (
            <Menu.Item onClick={() => setDialog('update')}>
              {t('Save changes to {name}…', { name: chosen.name })}
            </Menu.Item>
          )}
          <Menu.Item disabled={data === undefined} onClick={() => setDialog('save')}>
            {t('Save as new view…')}
          </Menu.Item>
          {chosen !== null && (
            <>
              <Menu.Item onClick={() => void chooseDefault(chosen)}>
                {isDefault ? t('Open the list with all rows') : t('Open the list with this view')}
              </Menu.Item>
              <Menu.Item onClick={() => void copyLink(chosen)}>{t('Copy link to view')}</Menu.Item>
            </>
          )}
          {mayChange && (
            <>
              <Menu.Item onClick={() => setDialog('edit')}>{t('Rename…')}</Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setDialog('remove')}>
                {t('Remove…')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog !== null && (
        <Suspense>
          <ViewDialogs list={list} views={views} dialog={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
}
