import { Button, FileButton, Group, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface CsvFieldProps {
  value: string;
  placeholder: string;
  isBusy: boolean;
  /** Height of the field in rows: the initial height, and the maximum. */
  rows?: readonly [number, number];
  onChange(text: string): void;
  /** Further buttons and fields beside the button that chooses a file. */
  children: ReactNode;
}

/** Field for a table, which a person can paste or read from a CSV file. */
export function CsvField({
  value,
  placeholder,
  isBusy,
  rows: [minRows, maxRows] = [4, 10],
  onChange,
  children,
}: CsvFieldProps) {
  const [isUnreadable, setUnreadable] = useState(false);
  const change = (text: string): void => {
    setUnreadable(false);
    onChange(text);
  };
  const read = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      change(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <>
      <Textarea
        label={t('Table')}
        value={value}
        placeholder={placeholder}
        autosize
        minRows={minRows}
        maxRows={maxRows}
        spellCheck={false}
        disabled={isBusy}
        error={isUnreadable ? t('The file isn’t UTF-8 text. Save it as “CSV UTF-8”.') : undefined}
        onChange={({ currentTarget: { value: text } }) => change(text)}
      />
      <Group align="flex-end">
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void read(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<Icon name="upload" size={16} />}
              disabled={isBusy}
            >
              {t('Choose file')}
            </Button>
          )}
        </FileButton>
        {children}
      </Group>
    </>
  );
}
