import { Refusal } from '../../core/errors.js'

/** The query of a request target; `INVALID_ARGUMENTS` for a parameter given twice and for what is not UTF-8. */
export function parseQuery(target: string): ReadonlyMap<string, string> {
  const mark = target.indexOf('?')
  const query = new Map<string, string>()
  if (mark < 0) return query
  for (const pair of target
    .slice(mark + 1)
    .split('&')
    .filter(Boolean)) {
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (query.has(name)) throw refused(`${name.slice(0, 100)} is given twice`)
    query.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1)))
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refused('the query is not percent-encoded UTF-8')
  }
}

function refused(problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', { problem })
}
