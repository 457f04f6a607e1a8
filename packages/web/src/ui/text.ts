import { setupI18n } from '@lingui/core';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { compileMessage } from './compile-message.ts';

/**
 * The texts of the screens. A message is its own key, in English and in ICU's format, so English needs no catalog and no
 * step of the build; another language is a file of `src/locales` (README.md of this package).
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

/** A translation that is no message is shown as it is, in place of nothing. */
function compiledOrPlain(message: string): CompiledMessage {
  try {
    return compileMessage(message);
  } catch {
    return [message];
  }
}

/**
 * A text for people. Called while something is drawn, never while a module loads: the language may not be known yet.
 * @param message English, in ICU's format: `t('{count, plural, one {# creator} other {# creators}}', { count })`
 */
export const t = (message: string, values?: Record<string, unknown>): string => i18n._(message, values);

/** For constants: `t` draws it later, and the catalog gets it now. */
export const msg = (message: string): string => message;
