import { Button, Menu, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { downloadPaymentFile, exportPayoutWithPayees } from '../../../client/sdk.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { methodKinds } from '../../../ui/method-kinds.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { asBlob, saveFile } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';
import { kindWord } from '../../payees/method-note.tsx';
import { usePublisher } from '../../session/session.ts';
import { usePaymentFiles } from './use-payment-files.ts';

interface FilesMenuProps {
  payout: Payout;
  /** True for the page's main action. */
  isMain: boolean;
  /** True to show only the start of the button's name, beside another button of a phone's bar. */
  isShort?: boolean;
  /** Called when a file is downloaded. The page may then show the menu in another place. */
  onSaved(): void;
}

/** Menu of all files of a payout: for PayPal, Wise and banks, and those with all creators. */
export function FilesMenu({ payout, isMain, isShort = false, onSaved }: FilesMenuProps) {
  const { publisherId, may } = usePublisher();
  const { payoutId, currency, memberCount } = payout;
  const { data: found } = usePaymentFiles(payout);
  // A payment file isn't a plain link, because the request may ask to sign in again.
  const download = useMutation({
    mutationFn: async ({ name, read }: { name: string; read(): Promise<{ data: unknown }> }) =>
      saveFile((await read()).data as Blob, name),
    onSuccess: onSaved,
    gcTime: 0,
  });
  // The browser follows a link after its click, and only if the link is still on the page.
  const onFollowed = (): void => void setTimeout(onSaved);
  const items = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/payouts/${payoutId}/items`;
  const ofAll = t('{count, plural, one {# creator} other {# creators}}', { count: memberCount });
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button
            variant={isMain ? 'filled' : 'default'}
            data-export
            loading={download.isPending}
            aria-label={isShort ? t('Download payment file') : undefined}
            leftSection={!isShort && <Icon name="download" size={16} />}
            rightSection={<Icon name="down" size={16} />}
          >
            {isShort ? t('Download') : t('Download payment file')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {found !== undefined && (
            <>
              <Menu.Label>{t('To upload to a provider or bank')}</Menu.Label>
              {methodKinds.flatMap((kind) => {
                const { files = [], problem = null } = found.kinds.find((each) => each.kind === kind) ?? {};
                // Not a disabled item, because the menu's first item is focused.
                return files.length === 0 ? (
                  <Text key={kind} size="xs" c="dimmed" px="sm" py={4}>
                    {kindWord(kind)}: {problem ?? t('no creators')}
                  </Text>
                ) : (
                  files.map(({ part, fileName, lineCount, sumMinor }) => (
                    <Menu.Item
                      key={fileName}
                      onClick={() =>
                        download.mutate({
                          name: fileName,
                          read: () =>
                            downloadPaymentFile({
                              path: { publisherId, payoutId, kind, part: String(part) },
                              ...asBlob,
                            }),
                        })
                      }
                    >
                      <Entry
                        name={
                          files.length === 1
                            ? kindWord(kind)
                            : t('{kind}, file {part} of {all}', {
                                kind: kindWord(kind),
                                part,
                                all: files.length,
                              })
                        }
                        about={t('{count, plural, one {# payment} other {# payments}}, {sum}', {
                          count: lineCount,
                          sum: formatMoney(sumMinor, currency),
                        })}
                      />
                    </Menu.Item>
                  ))
                );
              })}
              <Menu.Divider />
            </>
          )}
          <Menu.Label>{t('To pay in another way')}</Menu.Label>
          {may('payees') && (
            <Menu.Item
              onClick={() =>
                download.mutate({
                  name: `payout-${currency}-${payoutId}-payees.csv`,
                  read: () => exportPayoutWithPayees({ path: { publisherId, payoutId }, ...asBlob }),
                })
              }
            >
              <Entry name={t('CSV with accounts')} about={ofAll} />
            </Menu.Item>
          )}
          <Menu.Item component="a" href={`${items}.csv`} download onClick={onFollowed}>
            <Entry name={t('CSV without accounts')} about={ofAll} />
          </Menu.Item>
          <Menu.Item component="a" href={`${items}.xlsx`} download onClick={onFollowed}>
            <Entry name={t('Excel without accounts')} about={ofAll} />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {download.error !== null && (
        <ErrorNotice error={download.error} title={t('Couldn’t prepare the file')} />
      )}
    </>
  );
}

/** Name of a file, and what it contains. */
export function Entry({ name, about }: { name: string; about: string }) {
  return (
    <>
      {name}
      <Text component="span" display="block" size="xs" c="dimmed">
        {about}
      </Text>
    </>
  );
}
