import { signal } from '@preact/signals-core';

/** Chromium's offer to install the app (https://wicg.github.io/manifest-incubations/). */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Asks the user whether to install the app; undefined where the browser does not offer it now. */
export const installPrompt = signal<(() => void) | undefined>(undefined);

/**
 * Keeps the browser's offer for the user center, instead of a bar over the prices. Called at the
 * start, because the offer may come at any time.
 */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt.value = () => {
      // An offer can be used once; the browser may make another one.
      installPrompt.value = undefined;
      void (event as InstallPrompt).prompt();
    };
  });
}

/** Whether the browser installs apps, but only from its own menu: Safari. Undefined in others, true in an installed app. */
export const installsFromMenu = (navigator as { standalone?: boolean }).standalone === false;
