import { Refusal } from '../core/errors.js'
import { type DialectName, dialectNames } from '../edit/dialects/registry.js'

/** Names of dialects with commas between them; `INVALID_ARGUMENTS` tells those that there are. */
export function parseDialects(text: string): readonly DialectName[] {
  return text.split(',').map(name => {
    const known = dialectNames.find(one => one === name.trim())
    if (known === undefined) throw new Refusal('INVALID_ARGUMENTS', { dialects: dialectNames })
    return known
  })
}
