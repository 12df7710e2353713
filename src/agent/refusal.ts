import type { NextAction } from '../core/error-catalogue.js'
import type { RefusalCode } from '../core/errors.js'

/** The codes that this version knows; a newer server may say others. */
export type AnsweredCode = RefusalCode | 'INTERNAL_ERROR' | (string & {})

/** A problem of RFC 9457 as the server sends it. */
export interface Problem {
  readonly code: AnsweredCode
  readonly status: number
  readonly detail: string
  readonly next_action: NextAction
  readonly [field: string]: unknown
}

/** The server has refused: nothing was changed, unless the message says otherwise. */
export class EditlatchRefusal extends Error {
  override readonly name = 'EditlatchRefusal'
  readonly code: AnsweredCode
  readonly status: number
  readonly nextAction: NextAction
  /** What the refusal is about, such as `actual` and `patch` of a conflict. */
  readonly data: Readonly<Record<string, unknown>>

  constructor({ type: _, title: __, instance: ___, ...problem }: Problem) {
    const { code, status, detail, next_action: nextAction, ...data } = problem
    super(detail)
    this.code = code
    this.status = status
    this.nextAction = nextAction
    this.data = data
  }
}

/** No answer came, or none that can be read. `cause` says why, where the system told. */
export class EditlatchUnreachable extends Error {
  override readonly name = 'EditlatchUnreachable'
  /** False where the request may have been done all the same. */
  readonly isUndone: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isUndone: boolean }) {
    super(message, { cause: options.cause })
    this.isUndone = options.isUndone
  }
}

/** True for a refusal, of the code where one is named. */
export function isRefusal(error: unknown, code?: AnsweredCode): error is EditlatchRefusal {
  return error instanceof EditlatchRefusal && (code === undefined || error.code === code)
}
