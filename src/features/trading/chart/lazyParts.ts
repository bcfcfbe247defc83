import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';

export const ChartSheet = lazyPart(() => import('./chartTypes/ChartSheet'), ToldInBanner);
export const DrawingTools = lazyPart(() => import('../drawings/DrawingTools'), ToldInBanner);
export const Indicators = lazyPart(() => import('./indicators/Indicators'), ToldInBanner);
