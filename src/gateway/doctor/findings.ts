import { Refusal } from '../../core/errors.js'
import type { DoctorCheck } from '../telling/answers.js'

/** Something that was found wrong; what is fine has no finding. */
export type Finding = Omit<DoctorCheck, 'name' | 'repository'> & {
  readonly status: 'warning' | 'problem'
}

/** One check for each finding, or one that says that all is well. */
export function report(
  name: string,
  findings: readonly Finding[],
  well: string,
): readonly DoctorCheck[] {
  if (findings.length === 0) return [{ name, status: 'ok', detail: well }]
  return findings.slice(0, mostFindings).map(finding => ({ name, ...finding }))
}

const mostFindings = 50

/** Runs a check; what it could not do is its finding. */
export async function attempt(
  name: string,
  check: () => readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await check()
  } catch (error) {
    const detail = `could not be looked at: ${describeError(error)}`
    return [{ name, status: 'warning', detail }]
  }
}

/** An error in one line. */
export function describeError(error: unknown): string {
  if (error instanceof Refusal) return [error.code, JSON.stringify(error.data)].join(' ')
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
