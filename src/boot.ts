// The first script, which loads by itself: it starts the worker while the others are on their way.
import { fetchAhead } from './app/keptLinks';
import './gateway/worker';

// Prices come before the app at / only.
if (!/^(#\/*)?(\?|$)/.test(location.hash)) fetchAhead();
