/** Where parts of the server report to the operator. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}
