import { Code, Group, NativeSelect, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listKeysOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { useUsableCode } from '../../first-steps/use-usable-code.ts';
import { usePublisher } from '../../session/session.ts';
import { languages, snippet, variableOf } from './write-snippet.ts';

interface SnippetsProps {
  /** Name of the key to use; null for the first active secret key. */
  keyName: string | null;
  onChoose(name: string): void;
}

/**
 * Snippets that work when pasted unchanged. They contain this installation's URL and read the key from an
 * environment variable.
 */
export function Snippets({ keyName, onChoose }: SnippetsProps) {
  const { publisherId } = usePublisher();
  const keys = useQuery(listKeysOptions({ path: { publisherId }, query: { limit: 250 } }));
  const usable = (keys.data?.rows ?? []).filter(({ state, kind }) => state === 'active' && kind === 'secret');
  const name = keyName ?? usable[0]?.name ?? 'backend';
  const variable = variableOf(name);
  const groupId = usable.find((key) => key.name === name)?.groupId ?? undefined;
  const { code: found } = useUsableCode(groupId);
  return (
    <Stack>
      <NativeSelect
        label={t('Key')}
        maw={320}
        data={usable.length === 0 ? [name] : [...new Set([name, ...usable.map((key) => key.name)])]}
        value={name}
        onChange={({ currentTarget: { value } }) => onChoose(value)}
      />
      <Text size="sm">{t('The snippets read the key from an environment variable. Set it first:')}</Text>
      <Block text={`export ${variable}='svc_sk_…'`} label={t('Copy line')} />
      <Text size="sm">
        {found === null
          ? t('Each snippet checks the key. Once a creator has a code, it also records a test purchase.')
          : t('Each snippet checks the key and records a test purchase, which is never paid out.')}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <TabList>
          {languages.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </TabList>
        {languages.map(({ id, title }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Block
              text={snippet(id, { url: window.location.origin, variable, code: found })}
              label={t('Copy {title} snippet', { title })}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function Block({ text, label }: { text: string; label: string }) {
  return (
    <Stack gap={4}>
      <Code block tabIndex={0}>
        {text}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={text} label={label} withLabel />
      </Group>
    </Stack>
  );
}
