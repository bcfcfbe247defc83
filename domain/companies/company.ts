/** A service provider of the main-site variant (protocol.md#company). */
export interface Company {
  id: number;
  name: string;
  /** The legal entity. */
  subject: string;
  /** A picture's URL, or empty. */
  logo: string;
  /** An https address, or empty. */
  url: string;
  registeredAddress: string;
  location: string;
  email: string;
}
