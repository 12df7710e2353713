/** What the server writes down about itself; tokens, queries and file content never go in. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
