/** Where parts of the server report to the operator. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
  /** Something that happened, for programs that read the log; absent where only people do. */
  event?(name: string, fields: Readonly<Record<string, unknown>>): void;
}
