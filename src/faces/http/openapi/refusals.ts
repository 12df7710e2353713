import { fieldsIn } from '../../../commands/bind.js'
import type { Command, Route } from '../../../commands/command.js'
import { catalogue } from '../../../core/error-catalogue.js'
import type { RefusalCode } from '../../../core/errors.js'

/** When a code can be answered. What stands in no list can be by every route that looks into a worktree. */
const places = {
  always: ['INVALID_ARGUMENTS', 'UNAUTHENTICATED', 'FORBIDDEN', 'BAD_HOST', 'RATE_LIMITED'],
  world: [
    'TOO_LARGE',
    'IO_FAULT',
    'TIMEOUT',
    'DISK_FULL',
    'UNSUPPORTED_REPOSITORY',
    'OBJECT_MISSING',
  ],
  body: ['ARGUMENTS_TRUNCATED', 'UNSUPPORTED_MEDIA_TYPE'],
  opening: ['WORKTREE_EXISTS', 'FOREIGN_OWNER'],
  closing: ['UNLANDED'],
  naming: [
    ...(['BAD_PATH', 'PROTECTED_PATH', 'SYMLINK', 'FILE_NOT_FOUND', 'NOT_REGULAR'] as const),
    ...(['UNSUPPORTED_ENCODING', 'UNSUPPORTED_OP', 'FILTERED', 'OUT_OF_RANGE'] as const),
    ...(['ZERO_MATCHES', 'AMBIGUOUS_MATCH', 'PATTERN_TIMEOUT'] as const),
  ],
  committing: [
    ...(['CONTENT_REV_CONFLICT', 'CONTENT_REV_REQUIRED', 'PATH_EXISTS'] as const),
    ...(['MERGE_CONFLICT', 'DEPENDENT_CHANGES', 'NOT_DURABLE'] as const),
    ...(['KEY_IN_FLIGHT', 'KEY_REUSED', 'DIALECT_UNPARSABLE', 'OVERLAPPING_EDITS'] as const),
    ...(['ANCHOR_STALE', 'ANCHOR_AMBIGUOUS', 'SUSPECT_TEXT', 'LINE_MISMATCH'] as const),
    ...(['COUNT_MISMATCH', 'INTRODUCES_SYNTAX_ERROR'] as const),
  ],
  // Told where a program starts, to another method, and when nobody listens any more.
  never: ['INVALID_SETTINGS', 'UNSAFE_TOKEN_FILE', 'METHOD_NOT_ALLOWED', 'CANCELLED'],
} as const satisfies Readonly<Record<string, readonly RefusalCode[]>>

type Place = keyof typeof places

/** The codes that a route can refuse with, by status and in the order of the catalogue. */
export function refusalsOf(command: Command, route: Route): ReadonlyMap<number, readonly string[]> {
  const byStatus = new Map<number, string[]>()
  const add = (status: number, code: string): void => {
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const held = fieldsIn(command, 'header:if-match').length > 0
  for (const [code, { status }] of Object.entries(catalogue)) {
    if (!canRefuse(code, command, route)) continue
    add(status, code)
    // A revision that came in a header is a precondition of HTTP.
    if (held && (code === 'CONTENT_REV_CONFLICT' || code === 'PATH_EXISTS')) add(412, code)
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

function canRefuse(code: string, command: Command, route: Route): boolean {
  const has = (...fields: readonly string[]): boolean => fields.some(name => name in command.bind)
  const opens = has('agent')
  const commits = has('message')
  const reached: Readonly<Record<Place, boolean>> = {
    always: true,
    world: route.path !== '/v1/events',
    body: takesBody(command),
    opening: opens,
    closing: has('force'),
    naming: commits || has('path', 'paths'),
    committing: commits,
    never: false,
  }
  const looks = opens || route.path.includes('/:worktree')
  const listed = placesOf(code)
  return listed.length === 0 ? looks : listed.some(place => reached[place])
}

function placesOf(code: string): readonly Place[] {
  const names = Object.keys(places) as Place[]
  return names.filter(name => places[name].some(one => one === code))
}

function takesBody(command: Command): boolean {
  return (['json', 'text-body', 'raw-body'] as const).some(
    place => fieldsIn(command, place).length > 0,
  )
}
