import { Refusal } from '../../core/errors.js'
import type { Caller } from '../../gateway/tokens.js'

/** What knows the tokens. */
export interface TokenKeeper {
  checkToken(token: string): Caller | undefined
}

/** Who asks, by `Authorization: Bearer` and nothing else; `UNAUTHENTICATED` says nothing about why. */
export function authenticate(header: string | undefined, keeper: TokenKeeper): Caller {
  const token = /^Bearer +([A-Za-z0-9._~+/-]{1,1000}=*)$/i.exec(header ?? '')?.[1]
  const caller = token === undefined ? undefined : keeper.checkToken(token)
  if (caller === undefined) throw new Refusal('UNAUTHENTICATED')
  return caller
}
