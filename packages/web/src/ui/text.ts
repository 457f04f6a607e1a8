import { setupI18n } from '@lingui/core';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { compileMessage } from './compile-message.ts';

/**
 * Messages of the screens. The English ICU message is the key, so English needs no catalog and no build step.
 * Another language is a file in `src/locales` (see this package's README.md).
 */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

const compiled = new Map<string, CompiledMessage>();

i18n.setMessagesCompiler((message: string) => {
  let made = compiled.get(message);
  if (made === undefined) {
    made = compiledOrPlain(message);
    compiled.set(message, made);
  }
  return made;
});

/** Compiles a message. A malformed translation is shown as is. */
function compiledOrPlain(message: string): CompiledMessage {
  try {
    return compileMessage(message);
  } catch {
    return [message];
  }
}

/**
 * Translates a message. Call it while rendering, never while a module loads: the language may not be known yet.
 * @param message English ICU message: `t('{count, plural, one {# creator} other {# creators}}', { count })`
 */
export const t = (message: string, values?: Record<string, unknown>): string => i18n._(message, values);

/** Marks a constant as a message for the catalogs; `t` translates it later. */
export const msg = (message: string): string => message;
