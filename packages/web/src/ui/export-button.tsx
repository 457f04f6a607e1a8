import { ActionIcon, Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ExportProps } from './export-dialog.tsx';
import { Icon } from './icons.tsx';
import { useNarrow } from './use-narrow.ts';

/** Loaded with the first export. */
const ExportDialog = lazy(() =>
  import('./export-dialog.tsx').then((found) => ({ default: found.ExportDialog })),
);

interface ExportButtonProps extends ExportProps {
  /** True if there is nothing to export. */
  isEmpty?: boolean;
}

/** Button that shows what an export will contain before it starts. On a phone, it is an icon beside the screen's tools. */
export function ExportButton({ isEmpty = false, ...props }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const open = (): void => {
    setWanted(true);
    setOpen(true);
  };
  const isNarrow = useNarrow();
  return (
    <>
      {isNarrow ? (
        <ActionIcon
          variant="default"
          size={36}
          data-export
          disabled={isEmpty}
          aria-label={props.label}
          onClick={open}
        >
          <Icon name="download" size={16} />
        </ActionIcon>
      ) : (
        <OpenExport label={props.label} isDisabled={isEmpty} onClick={open} />
      )}
      {isWanted && (
        <Suspense>
          <ExportDialog {...props} opened={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/**
 * Button that opens an `ExportDialog` of its screen. Among several actions of a screen, which a phone shows in a menu, the
 * dialog must be outside them, because the menu hides it when it closes.
 */
export function OpenExport({ label, isDisabled = false, onClick }: OpenExportProps) {
  return (
    <Button
      variant="default"
      data-export
      disabled={isDisabled}
      leftSection={<Icon name="download" size={16} />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

interface OpenExportProps {
  label: string;
  isDisabled?: boolean | undefined;
  onClick(): void;
}
