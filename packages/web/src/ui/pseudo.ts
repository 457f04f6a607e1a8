import type { I18n } from '@lingui/core';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { compileMessage } from './compile-message.ts';

const plain = 'AaCcDdEeGgIiLlNnOoRrSsTtUuYyZz';
const accented = 'ÀàÇçÐðÈèĜĝÎîĹĺÑñÔôŘřŠšŢţÛûÝýŽž';

/** Makes each message a third longer, with accents and brackets. */
export function pseudo(i18n: I18n): void {
  i18n.setMessagesCompiler(
    (message) => ['⟦', ...lengthened(compileMessage(message)), '⟧'] as CompiledMessage,
  );
  i18n.loadAndActivate({ locale: 'en-XA', messages: {} });
}

function lengthened(message: CompiledMessage): unknown[] {
  return typeof message === 'string' ? [longer(message)] : message.map(changed);
}

/**
 * Lengthens a token, which is either text or a variable. A variable may have several strings to choose from.
 */
function changed(token: unknown): unknown {
  if (typeof token === 'string') return longer(token);
  if (!Array.isArray(token)) return token;
  const [name, kind, choices] = token as [string, string?, unknown?];
  if (typeof choices !== 'object' || choices === null) return token;
  const entries = Object.entries(choices as Record<string, unknown>).map(([key, choice]) => [
    key,
    typeof choice === 'string' ? longer(choice) : Array.isArray(choice) ? choice.map(changed) : choice,
  ]);
  return [name, kind, Object.fromEntries(entries)];
}

function longer(text: string): string {
  // Element placeholders such as <0> stay unchanged.
  const parts = text.split(/(<\/?\d+\/?>)/);
  return parts
    .map((part) =>
      /^<\/?\d+\/?>$/.test(part) ? part : withAccents(part) + '·'.repeat(part.trim().length / 3),
    )
    .join('');
}

const withAccents = (text: string): string =>
  [...text].map((letter) => accented[plain.indexOf(letter)] ?? letter).join('');
