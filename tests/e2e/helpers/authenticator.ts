import type { CDPSession, Page } from '@playwright/test';

export interface Authenticator {
  client: CDPSession;
  id: string;
}

/** An authenticator of the device itself, whose user is there and verified. */
export async function authenticator(page: Page): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId: id } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, id };
}
