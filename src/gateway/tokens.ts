import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type Scope = 'read' | 'edit' | 'review'

export type Caller =
  | { readonly kind: 'server' }
  | { readonly kind: 'worktree'; readonly id: string; readonly scope: Scope }

const scopes: readonly Scope[] = ['read', 'edit', 'review']

/** The token of one worktree: derived from the server's secret, so that nothing needs to be kept. */
export function worktreeToken(secret: string, id: string, scope: Scope): string {
  const claim = Buffer.from(`${scope}:${id}`).toString('base64url')
  return `elw_${claim}.${sign(secret, claim)}`
}

/** Who holds a token; undefined for a wrong one. Takes the same time for every wrong token. */
export function checkToken(secret: string, token: string): Caller | undefined {
  if (sameText(token, secret)) return { kind: 'server' }
  const match = /^elw_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(token)
  const claim = match?.[1] ?? ''
  if (!sameText(match?.[2] ?? '', sign(secret, claim))) return undefined
  const text = Buffer.from(claim, 'base64url').toString('utf8')
  const scope = scopes.find(known => text.startsWith(`${known}:`))
  return scope && { kind: 'worktree', scope, id: text.slice(scope.length + 1) }
}

/** Who holds a token: the server's own, or one of a worktree whose repository, found by the worktree's id, lies there. */
export function callerOf(
  secret: string,
  token: string,
  placeOf: (id: string) => string | undefined,
): Caller | undefined {
  const caller = checkToken(secret, token)
  if (caller?.kind === 'server') return caller
  const commonDir = placeOf(claimedId(token))
  const claimed = commonDir && checkToken(repositorySecret(secret, commonDir), token)
  return claimed && claimed.kind === 'worktree' ? claimed : undefined
}

/** The worktree that a token claims to be for; whether it may is another question. */
function claimedId(token: string): string {
  const claim = /^elw_([A-Za-z0-9_-]+)\./.exec(token)?.[1] ?? ''
  return Buffer.from(claim, 'base64url')
    .toString('utf8')
    .replace(/^[a-z]+:/, '')
}

/** What the tokens of one repository are derived from: two servers of a user share a secret and may call two repositories the same. */
export function repositorySecret(secret: string, commonDir: string): string {
  return createHmac('sha256', secret).update(`repository 1:${commonDir}`).digest('base64url')
}

function sign(secret: string, claim: string): string {
  return createHmac('sha256', secret).update(`worktree token 1:${claim}`).digest('base64url')
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
