import { Code, Group, NativeSelect, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listKeysOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { t } from '../../../ui/text.ts';
import { useUsableCode } from '../../first-steps/use-usable-code.ts';
import { usePublisher } from '../../session/session.ts';
import { languages, snippet, variableOf } from './write-snippet.ts';

interface SnippetsProps {
  /** The key they are for; the first that works when null. */
  keyName: string | null;
  onChoose(name: string): void;
}

/** What works when it is pasted: this installation's address, and the key by its name, out of the environment. */
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
      <Text size="sm">
        {t('The key itself is nowhere here. Put it into the environment first, where you paste:')}
      </Text>
      <Block text={`export ${variable}='svc_sk_…'`} label={t('Copy the line')} />
      <Text size="sm">
        {found === null
          ? t('Each asks whether the key works. Once a creator has a code, it records a Test purchase, too.')
          : t('Each asks whether the key works, and records a Test purchase, which nobody is paid for.')}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {languages.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map(({ id, title }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Block
              text={snippet(id, { url: window.location.origin, variable, code: found })}
              label={t('Copy for {title}', { title })}
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
