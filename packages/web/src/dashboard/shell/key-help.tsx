import { Kbd, Modal, Table, Text } from '@mantine/core';
import { usePreferences } from '../../ui/preferences.ts';
import { t } from '../../ui/text.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';

export function KeyHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { may } = usePublisher();
  const { singleKeys } = usePreferences();
  const keys: [keys: string[], meaning: string][] = [
    [['Ctrl', 'K'], t('Search everything')],
    [['/'], t('Filter this list, or search')],
    [['J'], t('Next row, also while a row is open')],
    [['K'], t('Previous row, also while a row is open')],
    [['Enter'], t('Open the row')],
    [['E'], t('Explain the open item')],
    [['C'], t('Create a new item')],
    [['Esc'], t('Close, or go back')],
    [['?'], t('Show these shortcuts')],
    ...screens
      .filter(({ permission }) => may(permission))
      .map(({ letter, title }): [string[], string] => [
        ['G', letter.toUpperCase()],
        t('Go to {screen}', { screen: t(title) }),
      ]),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t('Keyboard shortcuts')}>
      {!singleKeys && (
        <Text mb="sm">{t('Single-key shortcuts are off. Turn them on in the menu under your name.')}</Text>
      )}
      <Table aria-label={t('Keyboard shortcuts')}>
        <Table.Tbody>
          {keys.map(([pressed, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td>
                {pressed.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
