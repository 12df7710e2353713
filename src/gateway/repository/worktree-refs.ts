import { Refusal } from '../../core/errors.js'

/** The refs and names that belong to one agent. */
export interface WorktreeRefs {
  readonly branch: string
  readonly base: string
  readonly reported: string
  readonly closed: string
  /** What the refs of its drafts begin with. */
  readonly drafts: string
}

export const baseRefs = 'refs/editlatch/base/'

export function worktreeRefs(prefix: string, name: string): WorktreeRefs {
  return {
    branch: `refs/heads/${prefix}/${name}`,
    base: `${baseRefs}${name}`,
    reported: `refs/editlatch/reported/${name}`,
    closed: `refs/editlatch/closed/${name}`,
    drafts: `refs/editlatch/drafts/${name}/`,
  }
}

/** Reads an agent's name from outside: lower case, up to 64 characters, and a part of a ref by git's rules. */
export function parseAgentName(name: string): string {
  const fits = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)
  if (!fits || name.includes('..') || name.endsWith('.') || name.endsWith('.lock')) {
    throw new Refusal('INVALID_ARGUMENTS', {
      problem: 'agent names are 1 to 64 of a-z 0-9 . _ - and begin with a letter or digit',
    })
  }
  return name
}

/** True for a name that an agent may have, spelled as its refs have it. */
export function isAgentName(name: string): boolean {
  try {
    return parseAgentName(name) === name
  } catch {
    return false
  }
}
