import { timeOf } from '#domain/core/time';
import { formatDateTime, isolated } from '../../../../i18n/format';
import { saveBlob } from '../../../../ui/saveFile';
import { showToast } from '../../../../ui/toastStore';
import type { LiveChart } from '../liveChart';

export interface PictureTexts {
  name: string;
  code: string;
  period: string;
  copied: string;
  failed: string;
}

/** Height of the line above the chart, px. */
const HEAD = 36;

/**
 * Gives the picture of the chart to the device's share sheet, otherwise to the clipboard, otherwise
 * as a file (screens.md#chart-settings).
 */
export async function sharePicture(live: LiveChart, texts: PictureTexts): Promise<void> {
  const canvas = live.host && drawPicture(live.host, texts);
  const blob = canvas && (await pngOf(canvas));
  if (!blob) return showToast(texts.failed, 'error');
  const name = `${texts.code}-${texts.period}.png`;
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: `${texts.name} ${texts.period}` });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
    showToast(texts.copied);
  } catch {
    saveBlob(blob, name);
  }
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** All canvases of the chart as they lie on each other, below a line with instrument, period and time. */
function drawPicture(host: HTMLElement, texts: PictureTexts): HTMLCanvasElement | undefined {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  const box = host.getBoundingClientRect();
  const ratio = devicePixelRatio;
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round((box.height + HEAD) * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(host);
  // That of the body is transparent.
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  context.fillRect(0, 0, box.width, box.height + HEAD);
  for (const layer of host.querySelectorAll('canvas')) {
    const { left, top, width, height } = layer.getBoundingClientRect();
    if (width > 0 && height > 0)
      context.drawImage(layer, left - box.left, top - box.top + HEAD, width, height);
  }
  context.fillStyle = style.color;
  context.textBaseline = 'middle';
  context.font = `600 14px ${style.fontFamily}`;
  const title = `${texts.name} · ${texts.period}`;
  context.fillText(title, 8, HEAD / 2);
  context.font = `12px ${style.fontFamily}`;
  context.textAlign = 'end';
  context.fillText(isolated(formatDateTime(timeOf(new Date()))), box.width - 8, HEAD / 2);
  return canvas;
}
