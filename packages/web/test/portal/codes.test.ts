import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();
const folder = mkdtempSync(join(tmpdir(), 'attribution-panels-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasBrowser)('Codes', () => {
  test('saves a picture with the code for the page of a channel', async () => {
    const save = async (code: string): Promise<Buffer> => {
      const person = await portal.creator(
        `${code.toLowerCase()}@example.com`,
        await portal.makeMember('moba', code),
      );
      const page = await portal.visitAs(person, '/codes');
      const button = page.getByRole('button', { name: `Save panel picture of ${code}`, exact: true });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toBe(`panel-${code}.png`);
      await expectFits(page);
      const path = join(folder, `${code}.png`);
      await download.saveAs(path);
      return readFileSync(path);
    };
    const [one, other] = [await save('MALLARD'), await save('A-CODE-OF-32-CHARACTERS-LIKE-ONE')];
    for (const picture of [one, other]) {
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([640, 320]);
    }
    expect(one.equals(other), 'the code is in the picture').toBe(false);
  });

  test('shows how many players support the creator', async () => {
    const person = await portal.creator('fans@example.com', await portal.makeMember('moba', 'FANNED'));
    const page = await portal.visitAs(person, '/codes');
    await page.getByText('FANNED').first().waitFor();
    expect(await page.getByText('supports you').count()).toBe(0);
    const { status } = await portal
      .service()
      .call('PUT', '/v1/attributions/players/fan-1/code?groupId=moba', {
        key: portal.keys().backend,
        json: { code: 'FANNED' },
      });
    expect(status).toBe(200);
    await page.reload();
    await page.getByText('1 player supports you').waitFor();
    await page.getByText('1 started and 0 stopped in the last 30 days').waitFor();
    await expectFits(page);
  });

  test('copies the link that the publisher has set, and shares it as the QR code', async () => {
    const provision = (codeLink: string) =>
      portal.service().provision(`publisher: { id: aurora, codeLink: ${codeLink} }`);
    await provision('null');
    const person = await portal.creator('linked@example.com', await portal.makeMember('moba', 'LINKED'));
    const page = await portal.visitAs(person, '/codes');
    const copy = page.getByRole('button', { name: 'Copy link of LINKED' });
    await page.getByRole('button', { name: 'Copy LINKED' }).waitFor();
    expect(await copy.count()).toBe(0);
    await provision('"https://shop.example/?code={code}"');
    await page.reload();
    await copy.click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('https://shop.example/?code=LINKED');
    await expectFits(page);
  });
});
