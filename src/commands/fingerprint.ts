import { canonicalJson } from './canonical-json.js'

/** What an idempotency key stands for: the command and its input, without the key, the place it went to, and what a dry run would say. */
export function fingerprint(command: string, input: Readonly<Record<string, unknown>>): string {
  const { worktree: _place, idempotency_key: _key, dry_run: _dryRun, ...asked } = input
  return canonicalJson({ command, asked })
}
