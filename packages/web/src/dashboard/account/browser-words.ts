import { t } from '../../ui/text.ts';

/** What each browser alone says of itself; those that are made of another one stand before it. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const named = (of: typeof browsers, userAgent: string): string | undefined =>
  of.find(([sign]) => sign.test(userAgent))?.[1];

/** A browser in words, as "Firefox on Windows"; what it says of itself where nobody knows it. */
export function browserWords(userAgent: string | null): string {
  if (userAgent === null) return t('A browser that did not say which');
  const browser = named(browsers, userAgent);
  const system = named(systems, userAgent);
  if (browser !== undefined && system !== undefined) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? userAgent.slice(0, 60);
}
