import { ActionIcon, Menu, Text } from '@mantine/core';
import { type ChosenColumn, nameColumnOf } from './column-choice.ts';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface ColumnsMenuProps {
  columns: readonly (ChosenColumn & { header: string; hiddenBelow?: 'xs' | 'sm' | 'md' | 'lg' | 'xl' })[];
  hidden: readonly string[];
  onHide(ids: readonly string[]): void;
}

/** Menu in a table's head that shows and hides columns. Exports contain all columns regardless. */
export function ColumnsMenu({ columns, hidden, onHide }: ColumnsMenuProps) {
  const nameColumn = nameColumnOf(columns);
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('Columns')}>
          <Icon name="columns" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Columns')}</Menu.Label>
        {columns.map(({ id, header, hiddenBelow }) => {
          const isHidden = hidden.includes(id);
          return (
            <Menu.CheckboxItem
              key={id}
              checked={!isHidden}
              disabled={id === nameColumn}
              onChange={() => onHide(isHidden ? hidden.filter((each) => each !== id) : [...hidden, id])}
            >
              {header}
              {hiddenBelow !== undefined && !isHidden && (
                <Text size="xs" c="dimmed" hiddenFrom={hiddenBelow}>
                  {t('Shown in a wider window')}
                </Text>
              )}
            </Menu.CheckboxItem>
          );
        })}
        <Menu.Divider />
        <Menu.Item disabled={hidden.length === 0} onClick={() => onHide([])}>
          {t('Show all columns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
