import { Drawer, Group } from '@mantine/core';
import { createContext, type ReactNode, Suspense, use, useState } from 'react';
import { createPortal } from 'react-dom';
import { CopyLink } from './copy-link.tsx';
import classes from './detail-drawer.module.css';
import { useListedRows } from './listed-rows.ts';
import { RowSteps } from './row-steps.tsx';
import { FactsSkeleton } from './skeletons.tsx';
import { t } from './text.ts';
import { useLayer } from './unsaved.tsx';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';

interface DetailDrawerProps {
  title: ReactNode;
  /** Returns the details of the open row, given its key. */
  children: (key: string) => ReactNode;
  /** URL parameter that contains the row's key. */
  name?: string;
}

/** End of the drawer, where a phone shows the row's buttons; null until it is there. */
const Footer = createContext<HTMLElement | null>(null);

/**
 * Buttons of the open row. On a phone, they are at the bottom of the drawer. They can't be fixed to the window, because a
 * drawer that a link opened keeps the transform of its animation, and fixed content would scroll with it.
 */
export function DrawerActions({ children }: { children: ReactNode }) {
  const isNarrow = useNarrow();
  const footer = use(Footer);
  if (!isNarrow) return <Group gap="xs">{children}</Group>;
  const bar = (
    <Group gap="xs" className={classes.actions} data-bottom-bar>
      {children}
    </Group>
  );
  return footer && createPortal(bar, footer);
}

/** Steps through the rows of the table that contains the open row. */
function ListSteps({ openKey }: { openKey: string }) {
  const rows = useListedRows(openKey);
  if (rows === undefined) return null;
  const { keys, rowsBefore, hasPrevious, hasNext, step } = rows;
  const at = keys.indexOf(openKey);
  return (
    <RowSteps
      row={rowsBefore + at + 1}
      rows={rowsBefore + keys.length}
      hasMore={hasNext}
      isFirst={at === 0 && !hasPrevious}
      isLast={at === keys.length - 1 && !hasNext}
      onStep={step}
    />
  );
}

/**
 * Drawer over a list that shows one row's details. The open drawer has its own URL. Esc and Back close the
 * drawer after asking about unsaved changes in its forms.
 */
export function DetailDrawer({ title, children, name = 'open' }: DetailDrawerProps) {
  const { query, setQuery } = useUrlState();
  const key = query[name];
  const opened = key !== undefined;
  const [footer, setFooter] = useState<HTMLElement | null>(null);
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
        <Drawer.Content data-drawer className={classes.content}>
          <Drawer.Header>
            <Group gap="xs" wrap="nowrap">
              <Drawer.Title className={classes.title}>{title}</Drawer.Title>
              <CopyLink names={[name]} />
            </Group>
            <Group gap={4} wrap="nowrap">
              {key !== undefined && name === 'open' && <ListSteps openKey={key} />}
              <Drawer.CloseButton size={28} aria-label={t('Close')} data-autofocus />
            </Group>
          </Drawer.Header>
          <Drawer.Body className={classes.body}>
            {key !== undefined &&
              layer.around(
                <Footer value={footer}>
                  <Suspense fallback={<FactsSkeleton />}>{children(key)}</Suspense>
                </Footer>,
              )}
          </Drawer.Body>
          <div ref={setFooter} className={classes.footer} />
        </Drawer.Content>
      </Drawer.Root>
      {layer.question}
    </>
  );
}
