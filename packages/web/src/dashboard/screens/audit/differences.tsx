import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry, AuditName } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { fieldInWords } from '../../../ui/field-words.ts';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { valueInWords } from '../../value-words.ts';
import classes from './differences.module.css';
import { NamedThing, useNames } from './named-thing.tsx';

/** Table of the values before and after a change, showing names instead of ids. */
export function Differences({ entry: { before, after, names } }: { entry: AuditEntry }) {
  const nameOf = useNames();
  const written = (value: unknown, fact: string): ReactNode => {
    if (value === undefined || value === null) return unknown;
    if (typeof value === 'number' || typeof value === 'boolean') return valueInWords(fact, value);
    if (typeof value === 'string') {
      const name = find(names, fact, value);
      if (name === undefined) return value;
      return (
        <NamedThing thing={name} name={name}>
          <CopyButton value={value} label={t('Copy ID')} />
        </NamedThing>
      );
    }
    const withName = (as: string, id: string): string => {
      const name = find(names, as, id);
      return name === undefined ? id : `${nameOf(name)} (${id})`;
    };
    return JSON.stringify(named(value, fact, withName), null, 1);
  };
  const facts = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Table aria-label={t('Changed values')} layout="fixed" className={classes.differences}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Field')}</Table.Th>
          <Table.Th scope="col">{t('Before')}</Table.Th>
          <Table.Th scope="col">{t('After')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {facts.map((fact) => (
          <Table.Tr key={fact}>
            <Table.Th scope="row" fw={600}>
              <span title={fact}>{fieldInWords(fact)}</span>
            </Table.Th>
            <Table.Td>{written(before?.[fact], fact)}</Table.Td>
            <Table.Td>{written(after?.[fact], fact)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const find = (names: readonly AuditName[], fact: string, id: string): AuditName | undefined =>
  names.find((name) => name.as === fact && name.id === id);

function named(value: unknown, fact: string, write: (fact: string, id: string) => string): unknown {
  if (typeof value === 'string') return write(fact, value);
  if (Array.isArray(value)) return value.map((each) => named(each, fact, write));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([as, each]) => [as, named(each, as, write)]));
}
