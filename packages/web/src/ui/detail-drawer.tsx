import { Drawer, Group } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { CopyLink } from './copy-link.tsx';
import classes from './detail-drawer.module.css';
import { LateSkeleton } from './late-skeleton.tsx';
import { t } from './text.ts';
import { useLayer } from './unsaved.tsx';
import { useUrlState } from './url-state.ts';

interface DetailDrawerProps {
  title: ReactNode;
  /** What is drawn for the row that is open; it asks for its own data. */
  children: (key: string) => ReactNode;
  /** The name in the address that holds the row's key. */
  name?: string;
}

/**
 * One row with all there is of it, over the list. It has an address of its own; Esc and Back close it, once unsaved changes of
 * its forms are given up.
 */
export function DetailDrawer({ title, children, name = 'open' }: DetailDrawerProps) {
  const { query, setQuery } = useUrlState();
  const key = query[name];
  const opened = key !== undefined;
  const layer = useLayer({ opened, onClose: () => setQuery({ [name]: null }) });
  return (
    <>
      <Drawer.Root
        opened={opened}
        onClose={layer.close}
        closeOnEscape={false}
        position="right"
        size="min(40rem, 100vw)"
      >
        <Drawer.Overlay backgroundOpacity={0.25} />
        <Drawer.Content data-drawer>
          <Drawer.Header>
            <Group gap="xs" wrap="nowrap">
              <Drawer.Title className={classes.title}>{title}</Drawer.Title>
              <CopyLink names={[name]} />
            </Group>
            <Drawer.CloseButton size={28} aria-label={t('Close')} data-autofocus />
          </Drawer.Header>
          <Drawer.Body>
            {key !== undefined &&
              layer.around(<Suspense fallback={<LateSkeleton />}>{children(key)}</Suspense>)}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {layer.question}
    </>
  );
}
