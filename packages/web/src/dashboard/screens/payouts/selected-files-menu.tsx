import { Button, Menu, Text } from '@mantine/core';
import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { listPaymentFilesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { downloadPaymentFile } from '../../../client/sdk.gen.ts';
import type { PaymentFile, PaymentFiles, Payout } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { asBlob, saveFile } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { kindWord } from '../../payees/method-note.tsx';
import { usePublisher } from '../../session/session.ts';
import { Entry } from './files-menu.tsx';

/** Maximum number of payouts, because the files of each are a request. */
const maxPayouts = 20;

interface FileOfPayout extends PaymentFile {
  payout: Payout;
}

/** Menu of the payment files of selected payouts. It stays open, so that several can be downloaded. */
export function SelectedFilesMenu({ payouts }: { payouts: readonly Payout[] }) {
  const { publisherId } = usePublisher();
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const areTooMany = payouts.length > maxPayouts;
  const { files, isLoading, error, problems, leftOutCount } = useQueries({
    queries: payouts.map(({ payoutId }) => ({
      ...listPaymentFilesOptions({ path: { publisherId, payoutId } }),
      enabled: isOpen && !areTooMany,
      staleTime: 60_000,
    })),
    combine: (asked) => ({
      ...inPayouts(
        payouts,
        asked.map(({ data }) => data),
      ),
      isLoading: asked.some(({ isLoading }) => isLoading),
      error: asked.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
  const download = useMutation({
    mutationFn: async (wanted: readonly FileOfPayout[]) => {
      for (const { payout, kind, part, fileName } of wanted) {
        const path = { publisherId, payoutId: payout.payoutId, kind, part: String(part) };
        const { data }: { data: unknown } = await downloadPaymentFile({ path, ...asBlob });
        saveFile(data as Blob, fileName);
        setSaved((before) => new Set([...before, fileName]));
      }
    },
    gcTime: 0,
  });
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="top-end" width={320} closeOnItemClick={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={download.isPending}
            aria-label={isNarrow ? t('Download payment files') : undefined}
            rightSection={<Icon name="up" size={16} />}
          >
            {isNarrow ? t('Download') : t('Download payment files')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
          <Menu.Label>{t('To upload to a provider or bank')}</Menu.Label>
          {areTooMany && <Note>{t('Select at most {max} payouts.', { max: maxPayouts })}</Note>}
          {isLoading && <Note>{t('Loading the files…')}</Note>}
          {files.length > 1 && (
            <Menu.Item
              leftSection={<Icon name="download" size={16} />}
              onClick={() => download.mutate(files)}
            >
              {t('All {count} files', { count: files.length })}
            </Menu.Item>
          )}
          {files.map((file) => (
            <Menu.Item
              key={file.fileName}
              leftSection={<Icon name={saved.has(file.fileName) ? 'check' : 'download'} size={16} />}
              onClick={() => download.mutate([file])}
            >
              <Entry
                name={nameOf(file)}
                about={t('{count, plural, one {# payment} other {# payments}}, {sum}', {
                  count: file.lineCount,
                  sum: formatMoney(file.sumMinor, file.payout.currency),
                })}
              />
            </Menu.Item>
          ))}
          {problems.map((problem) => (
            <Note key={problem}>{problem}</Note>
          ))}
          {leftOutCount > 0 && (
            <Note>
              {t('{count, plural, one {# payment isn’t} other {# payments aren’t}} in a payment file.', {
                count: leftOutCount,
              })}
            </Note>
          )}
        </Menu.Dropdown>
      </Menu>
      {(download.error ?? error) !== null && (
        <ErrorNotice error={download.error ?? error} title={t('Couldn’t prepare the file')} />
      )}
    </>
  );
}

// Not a disabled item, because the menu's first item is focused.
const Note = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" px="sm" py={4}>
    {children}
  </Text>
);

/** Returns the files of all payouts, the reasons why some kinds have none, and the number of payments in no file. */
function inPayouts(payouts: readonly Payout[], loaded: readonly (PaymentFiles | undefined)[]) {
  const kinds = payouts.flatMap((payout, at) => loaded[at]?.kinds.map((each) => ({ ...each, payout })) ?? []);
  return {
    files: kinds.flatMap(({ files, payout }): FileOfPayout[] => files.map((file) => ({ ...file, payout }))),
    problems: [
      ...new Set(
        kinds.flatMap(({ kind, problem }) => (problem === null ? [] : `${kindWord(kind)}: ${problem}`)),
      ),
    ],
    leftOutCount: loaded.reduce((sum, each) => sum + (each?.leftOut.lineCount ?? 0), 0),
  };
}

function nameOf({ payout: { number }, kind, part, parts }: FileOfPayout): string {
  const name = t('Payout {number}: {kind}', { number: String(number), kind: kindWord(kind) });
  return parts === 1 ? name : t('{kind}, file {part} of {all}', { kind: name, part, all: parts });
}
