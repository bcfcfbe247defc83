import { lazyPart, ToldInBanner } from '../ui/lazyPart';

export const AlertSheet = lazyPart(() => import('../alerts/AlertSheet'), ToldInBanner);
export const KeyboardSheet = lazyPart(() => import('./KeyboardSheet'), ToldInBanner);
