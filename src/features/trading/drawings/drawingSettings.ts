import { aBoolean, stored } from '../../../preferences/stored';
import { PLAIN_STYLE, type Style } from './drawing';
import { readStyle } from './drawingsFile';

/** New points keep to the open, high, low or close that is near; saved. */
export const magnet = stored('draw-magnet', true, aBoolean);

/** The style of the next drawing: the one set last; saved. */
export const lastStyle = stored<Style>('draw-style', PLAIN_STYLE, readStyle);
