import { saveFile } from '../../../ui/save-file.ts';

/** Twice the width of a panel below a stream on Twitch, so that it is sharp on phones too. */
const width = 640;
const height = 320;
const margin = 40;

interface Panel {
  code: string;
  /** Line above the code. */
  text: string;
  /** Name of the publisher. */
  publisher: string;
  /** Element whose font and main color the picture has. */
  like: Element;
}

/**
 * Draws a picture with a code, for the page of a channel, and saves it as a PNG. It is drawn in the browser, so that no server
 * has to render text in all scripts.
 * @throws Error if the browser can't draw
 */
export async function savePanelPicture({ code, text, publisher, like }: Panel): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error('the browser can’t draw');
  const { fontFamily } = getComputedStyle(like);
  await document.fonts.ready;
  drawing.fillStyle = getComputedStyle(like).getPropertyValue('--mantine-primary-color-filled');
  drawing.fillRect(0, 0, width, height);
  drawing.fillStyle = '#fff';
  drawing.textAlign = 'center';
  drawing.textBaseline = 'middle';
  const write = (line: string, y: number, size: number, weight: number): void => {
    drawing.font = `${weight} ${size}px ${fontFamily}`;
    // A long line gets smaller letters, because the browser would otherwise squeeze them.
    const fits = Math.min(1, (width - 2 * margin) / drawing.measureText(line).width);
    drawing.font = `${weight} ${Math.floor(size * fits)}px ${fontFamily}`;
    drawing.fillText(line, width / 2, y);
  };
  write(text, 76, 34, 400);
  write(code, 164, 96, 600);
  write(publisher, 256, 34, 400);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (picture === null) throw new Error('the browser can’t draw');
  saveFile(picture, `panel-${code}.png`);
}
