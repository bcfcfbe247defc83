/** Where parts of the server report to the operator. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
  /** Something that happened, with what is known of it. A console has none. */
  event?(name: string, fields: Readonly<Record<string, unknown>>): void;
}
