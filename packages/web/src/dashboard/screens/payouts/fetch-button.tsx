import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';

interface FetchButtonProps {
  label?: string;
  fileName: string;
  disabled?: boolean;
  fetchFile(): Promise<{ data: unknown }>;
}

/** Button that downloads a file. It isn't a plain link, because the request may ask to sign in again. */
export function FetchButton({
  label = t('Download'),
  fileName,
  disabled = false,
  fetchFile,
}: FetchButtonProps) {
  const queryClient = useQueryClient();
  const download = useMutation({
    mutationFn: async () => saveFile((await fetchFile()).data as Blob, fileName),
    // The payout's page shows whether a file was downloaded.
    onSuccess: () => refresh(queryClient, 'getPayout'),
    gcTime: 0,
  });
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        loading={download.isPending}
        disabled={disabled}
        leftSection={<Icon name="download" size={16} />}
        aria-label={label === t('Download') ? t('Download {name}', { name: fileName }) : undefined}
        onClick={() => download.mutate()}
      >
        {label}
      </Button>
      {download.error !== null && (
        <ErrorNotice error={download.error} title={t('Couldn’t prepare the file')} />
      )}
    </div>
  );
}
