/** What the gateway counts while it works; a face decides what becomes of the numbers. */
export interface Meter {
  /** A batch ended: `committed`, `unchanged`, `dry_run`, `refused` or `failed`; `code` is the refusal's, else ''. */
  batch(result: string, code: string, ms: number): void
  /** So many ops were found at this level. */
  match(level: string, count: number): void
  /** A revision was not the one that the agent had read. */
  conflict(): void
  bytes(direction: 'read' | 'written', count: number): void
  read(ms: number): void
  /** A request was cancelled before its commit point. */
  cancel(): void
}

/** Counts nothing. */
export const silentMeter: Meter = {
  batch: () => undefined,
  match: () => undefined,
  conflict: () => undefined,
  bytes: () => undefined,
  read: () => undefined,
  cancel: () => undefined,
}
