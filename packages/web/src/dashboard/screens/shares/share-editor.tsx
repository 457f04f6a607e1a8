import { Box, Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Provenance } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast, type Undo } from '../../../ui/toast.ts';
import type { Edit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';

/**
 * Returns a function that reloads an operation's data and the groups after a change, then shows a message that names
 * the change.
 */
export function useShareChanged(operation: string): (message: string, undo?: Undo | null) => Promise<void> {
  const queryClient = useQueryClient();
  return async (message, undo) => {
    await refresh(queryClient, operation, 'listCreatorGroups');
    toast(message, undo);
  };
}

interface ShareEditorProps<Thing> {
  edit: Edit & { base: Thing | null; input: unknown };
  removal?: {
    question: string;
    action: string;
    consequence: string;
    remove(thing: Thing): Promise<unknown>;
  };
  /** Label of the button that saves a new thing; "Save" by default. */
  create?: string | false;
  check?(form: HTMLFormElement): boolean;
  /** Error to show above the fields; the edit's error by default. */
  notice?: unknown;
  /** Closes the form of a new thing. If present, there is a Cancel button. */
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

export function ShareEditor<Thing extends { provenance: Provenance | null }>(props: ShareEditorProps<Thing>) {
  const { edit, removal, create = false, check, notice = edit.error, onCancel, children } = props;
  const { may } = usePublisher();
  const [isConfirming, setConfirming] = useState(false);
  const { base } = edit;
  const mayChange = may('program');
  return (
    <>
      <VersionedForm edit={edit} notice={notice} {...(check !== undefined && { check })}>
        {mayChange && <FileWarning of={base?.provenance ?? null} />}
        {children}
        {mayChange && (
          <Group justify="space-between">
            {base !== null && removal !== undefined ? (
              <Button
                variant="default"
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => setConfirming(true)}
              >
                {t('Remove')}
              </Button>
            ) : (
              <Box />
            )}
            <Group gap="sm">
              {onCancel !== undefined && (
                <Button variant="default" onClick={onCancel}>
                  {t('Cancel')}
                </Button>
              )}
              <SaveButton edit={edit} disabled={edit.input === null}>
                {create === false ? t('Save') : create}
              </SaveButton>
            </Group>
          </Group>
        )}
      </VersionedForm>
      {base !== null && removal !== undefined && (
        <ConfirmDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          title={removal.question}
          action={removal.action}
          onConfirm={() => removal.remove(base)}
          isDangerous
        >
          {removal.consequence}
        </ConfirmDialog>
      )}
    </>
  );
}
