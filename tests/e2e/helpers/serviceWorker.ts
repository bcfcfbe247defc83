import type { Page, Worker } from '@playwright/test';
import { chromiumOnly } from '../engines/engine';

/** The service worker of the page's context; waits for one. */
export async function serviceWorkerOf(page: Page): Promise<Worker> {
  chromiumOnly('it looks into the service worker');
  const context = page.context();
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  return worker;
}
