import { expect, test } from 'vitest';
import { images, png, pngChunk } from '../../../test/images.ts';
import { readImage } from './read-image.ts';

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');
const size = { width: 32, height: 16 };
const whole = {
  png: png(32, 16),
  jpeg: bytesOf(images.jpeg),
  progressiveJpeg: bytesOf(images.progressiveJpeg),
  webp: bytesOf(images.webp),
  losslessWebp: bytesOf(images.losslessWebp),
  transparentWebp: bytesOf(images.transparentWebp),
};

test('reads the type and size of each kind of image', () => {
  expect(readImage(whole.png)).toEqual({ type: 'image/png', ...size });
  for (const each of [whole.jpeg, whole.progressiveJpeg])
    expect(readImage(each)).toEqual({ type: 'image/jpeg', ...size });
  for (const each of [whole.webp, whole.losslessWebp, whole.transparentWebp])
    expect(readImage(each)).toEqual({ type: 'image/webp', ...size });
});

test('accepts no part of an image, and nothing after it', () => {
  for (const [name, image] of Object.entries(whole)) {
    for (let length = 0; length < image.length; length += 1)
      expect(typeof readImage(image.subarray(0, length)), `${name} ${length}`).toBe('string');
    const appended = Buffer.concat([image, Buffer.from('PK\u0003\u0004 an archive')]);
    expect(readImage(appended), name).toBe('damaged');
  }
});

test('reads any bytes after the start of an image without failing', () => {
  for (const image of Object.values(whole))
    for (let at = 0; at < image.length; at += 1)
      for (const value of [0, 0xff]) {
        const changed = Buffer.from(image);
        changed[at] = value;
        const read = readImage(changed);
        if (typeof read !== 'string') expect(Math.min(read.width, read.height)).toBeGreaterThan(0);
      }
});

test('names what it does not accept', () => {
  for (const svg of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?>\n<!-- x -->\n<SVG >',
  ])
    expect(readImage(Buffer.from(svg))).toBe('svg');
  expect(readImage(Buffer.from('GIF89a'))).toBe('unknown');
  expect(readImage(Buffer.from('<!doctype html><script>alert(1)</script>'))).toBe('unknown');
  expect(readImage(bytesOf(images.animatedWebp))).toBe('animated');
  const parts = [whole.png.subarray(0, -12), pngChunk('acTL', Buffer.alloc(8)), whole.png.subarray(-12)];
  expect(readImage(Buffer.concat(parts))).toBe('animated');
});
