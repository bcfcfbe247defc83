/** Libraries in the browser that deserve credit. */
export const CREDITS = [
  {
    name: 'Lightweight Charts',
    licence: 'Apache-2.0',
    url: 'https://www.tradingview.com/lightweight-charts/',
  },
  { name: 'React', licence: 'MIT', url: 'https://react.dev/' },
  { name: 'React Router', licence: 'MIT', url: 'https://reactrouter.com/' },
  { name: 'Preact Signals', licence: 'MIT', url: 'https://preactjs.com/' },
  { name: 'TanStack Virtual', licence: 'MIT', url: 'https://tanstack.com/virtual' },
  { name: 'TanStack Query', licence: 'MIT', url: 'https://tanstack.com/query' },
  { name: 'Base UI', licence: 'MIT', url: 'https://base-ui.com/' },
  { name: 'i18next', licence: 'MIT', url: 'https://www.i18next.com/' },
  { name: 'Lucide', licence: 'ISC', url: 'https://lucide.dev/' },
  { name: 'Comlink', licence: 'Apache-2.0', url: 'https://github.com/GoogleChromeLabs/comlink' },
  { name: 'axios', licence: 'MIT', url: 'https://axios-http.com/' },
  { name: 'qr', licence: 'MIT', url: 'https://github.com/paulmillr/qr' },
  {
    name: 'idb-keyval',
    licence: 'Apache-2.0',
    url: 'https://github.com/jakearchibald/idb-keyval',
  },
] as const;

/** The notice that the licence of Lightweight Charts requires, word for word. */
export const CHART_NOTICE = {
  product: 'TradingView Lightweight Charts™',
  copyright: 'Copyright (c) 2025 TradingView, Inc.',
  url: 'https://www.tradingview.com/',
} as const;
