import { Drawer, Group } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { CopyLink } from './copy-link.tsx';
import classes from './detail-drawer.module.css';
import { useListedRows } from './listed-rows.ts';
import { RowSteps } from './row-steps.tsx';
import { FactsSkeleton } from './skeletons.tsx';
import { t } from './text.ts';
import { useLayer } from './unsaved.tsx';
import { useUrlState } from './url-state.ts';

interface DetailDrawerProps {
  title: ReactNode;
  /** Returns the details of the open row, given its key. */
  children: (key: string) => ReactNode;
  /** URL parameter that contains the row's key. */
  name?: string;
}

/** Buttons of the open row. */
export const DrawerActions = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" className={classes.actions}>
    {children}
  </Group>
);

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
            <Group gap={4} wrap="nowrap">
              {key !== undefined && name === 'open' && <ListSteps openKey={key} />}
              <Drawer.CloseButton size={28} aria-label={t('Close')} data-autofocus />
            </Group>
          </Drawer.Header>
          <Drawer.Body className={classes.body}>
            {key !== undefined &&
              layer.around(<Suspense fallback={<FactsSkeleton />}>{children(key)}</Suspense>)}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {layer.question}
    </>
  );
}
