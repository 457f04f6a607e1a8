import { crc32, deflateSync } from 'node:zlib';

/** Images of 32 × 16 pixels, written by ImageMagick. */
export const images = {
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAQACADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCeAuVAAP/Z',
  progressiveJpeg:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAQACADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAAAA//aAAwDAQACEAMQAAABnF6gf//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAQUCD//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQMBAT8BP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8BP//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEABj8CD//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8hD//aAAwDAQACAAMAAAAQAA//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAEDAQE/ED//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/ED//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAE/EA//2Q==',
  webp: 'UklGRkYAAABXRUJQVlA4IDoAAAAwAwCdASogABAAPpE4l0eloyIhMAgAsBIJQA7AABhIN+cwAP7ryJn//4ILaj0w6UP/2pgkjKAoQAAA',
  losslessWebp: 'UklGRh4AAABXRUJQVlA4TBEAAAAvH8ADAAfQj+pVtP+BiOh/AAA=',
  transparentWebp:
    'UklGRmoAAABXRUJQVlA4WAoAAAAQAAAAHwAADwAAQUxQSAoAAAABB1DAiAhERP8DVlA4IDoAAAAwAwCdASogABAAPpE4l0eloyIhMAgAsBIJQA7AABhIN+cwAP7ryJn//4ILaj0w6UP/2pgkjKAoQAAA',
  animatedWebp:
    'UklGRtQAAABXRUJQVlA4WAoAAAACAAAAHwAADwAAQU5JTQYAAAD/////AABBTk1GVAAAAAAAAAAAAB8AAA8AAGQAAAJWUDggPAAAABADAJ0BKiAAEAA+kTiXR6WjIiEwCACwEglAF2XQABA2AAD+7qY//gN18W0y//c4H/c4H/c4H8czWYAAAEFOTUZMAAAAAAAAAAAAHwAADwAAZAAAAFZQOCA0AAAAVAIAnQEqIAAQAD6ROJdHgwCAAAEglAF2AFpIAP71WL//c4H/+zgf/7OB/HX9eqWuTfJsAA==',
} as const;

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(content.length, 0);
  numbers.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}

/** Writes a PNG in one color. @param extra bytes of a chunk that readers ignore */
export function png(width: number, height: number, { extra = 0, shade = 0x7a } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, shade);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0; // the row's filter
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...(extra > 0 ? [pngChunk('prVt', Buffer.alloc(extra))] : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
