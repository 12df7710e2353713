import { Refusal } from '../core/errors.js'

/** A revision as HTTP's strong entity tag. */
export function entityTag(rev: string): string {
  return `"${rev}"`
}

/** The revisions of an `If-Match` or `If-None-Match` header, joined by commas; `*` stands for itself. */
export function parseEntityTags(header: string): string {
  return header
    .split(',')
    .map(tag => parseEntityTag(tag.trim()))
    .join(',')
}

function parseEntityTag(tag: string): string {
  if (tag === '*') return tag
  // A weak tag never comes from here; a cache on the way may have weakened ours.
  const rev = /^(?:W\/)?"([^"]*)"$/.exec(tag)?.[1]
  if (rev !== undefined) return rev
  throw new Refusal('INVALID_ARGUMENTS', {
    problem: 'an entity tag is a revision in double quotes',
  })
}
