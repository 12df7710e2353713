import type { Refusal } from '../core/errors.js'
import { renderRefusalText } from '../report/render-text.js'

/** A refusal as compact text, for faces that print. */
export function renderRefusal(refusal: Refusal): string {
  return renderRefusalText(refusal.toJSON())
}
