import { expect, test } from 'vitest';
import { urlInAudit } from './url-in-audit.ts';

test.each([
  ['https://a.example/hook', 'https://a.example/hook'],
  ['https://a.example/hook?token=1&x=2', 'https://a.example/hook?…'],
  ['https://a.example/logo.png#signed?x', 'https://a.example/logo.png#…'],
  ['https://user:secret@a.example:8443/h?x', 'https://…@a.example:8443/h?…'],
  ['https://a@b:c@d.example/', 'https://…@d.example/'],
  ['https://a.example/@handle', 'https://a.example/@handle'],
  ['no address', 'no address'],
])('%s is shown as %s', (url, shown) => {
  expect(urlInAudit(url)).toBe(shown);
});
