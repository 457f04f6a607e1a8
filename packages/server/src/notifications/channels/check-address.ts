import { Refusal } from '../../platform/refusal.ts';
import { checkTarget, type TargetUrl } from '../../webhooks/endpoints/check-target.ts';
import type { ChannelKind } from './channel.ts';

/** Addresses that messages may be sent to. */
export interface AddressRules {
  /** Hosts that the operator allows in addition to Slack's and Discord's, with the port if it isn't the default. */
  hosts: readonly string[];
  /** True if addresses may be private and may use plain HTTP. */
  allowPrivate: boolean;
}

const known: Readonly<
  Record<ChannelKind, { name: string; hosts: readonly string[]; path: RegExp; example: string }>
> = {
  slack: {
    name: 'Slack',
    hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
    path: /^\/services\/\w+\/\w+\/\w+$/,
    example: 'https://hooks.slack.com/services/…',
  },
  discord: {
    name: 'Discord',
    hosts: ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'],
    path: /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+$/,
    example: 'https://discord.com/api/webhooks/…',
  },
};

/**
 * Checks the address of an incoming webhook before it is saved. The IP address is checked again for each message, as
 * for webhooks. Error messages don't quote the address, because it is a secret.
 * @throws Refusal InvalidInput
 */
export async function checkAddress(kind: ChannelKind, text: string, rules: AddressRules): Promise<TargetUrl> {
  const { name, hosts, path, example } = known[kind];
  const url = text.length <= 2_000 && URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || url.username !== '' || url.password !== '')
    throw wrongAddress(`Enter the address of a ${name} incoming webhook, such as ${example}.`);
  const isAllowed = rules.hosts.includes(url.host);
  if (url.protocol !== 'https:' && !(isAllowed && rules.allowPrivate && url.protocol === 'http:'))
    throw wrongAddress('The address must start with https://.');
  if (!isAllowed && !hosts.includes(url.host))
    throw wrongAddress(
      `The address must be on ${hosts[0]}, such as ${example}. To allow another host, ask the operator to add it to CHANNEL_HOSTS.`,
    );
  if (!isAllowed && !path.test(url.pathname))
    throw wrongAddress(`This isn't the address of a ${name} incoming webhook, which looks like ${example}.`);
  return (await checkTarget(url.href, rules.allowPrivate)).url;
}

const wrongAddress = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['url'] });

/** Returns the part of an address that may be shown: its host and its last four characters. */
export const hintOf = (url: string): string => `${new URL(url).host.slice(0, 200)}/…${url.slice(-4)}`;
