import { Refusal } from '../core/errors.js'
import { parseStrictJson } from '../core/strict-json.js'
import { fieldsIn } from './bind.js'
import type { Command } from './command.js'

/** The fields of a JSON body; `INVALID_ARGUMENTS` for one that the command does not bind there. */
export function parseDocument(
  command: Command,
  bytes: Uint8Array,
): Readonly<Record<string, unknown>> {
  const body = parseStrictJson(bytes)
  checkNames(Object.keys(body), fieldsIn(command, 'json'))
  return body
}

/** A field may be sent only where it is bound, else one place could overrule another unseen. */
export function checkNames(names: readonly string[], known: readonly string[]): void {
  const stranger = names.find(name => !known.includes(name))
  if (stranger === undefined) return
  throw new Refusal('INVALID_ARGUMENTS', {
    problem: `there is no field ${stranger.slice(0, 100)} here`,
    known,
  })
}

/** A body that is one text, in UTF-8. */
export function parseTextBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('INVALID_ARGUMENTS', { problem: 'the body is not UTF-8' })
  }
}
