import { geteuid } from 'node:process'

/** The user we run as; root where there are no such users. */
export function ourUser(): number {
  return geteuid?.() ?? 0
}

/** True for what belongs to the user we run as; everything does where there are no such users. */
export function isOurs(uid: number): boolean {
  const ours = geteuid?.()
  return ours === undefined || uid === ours
}
