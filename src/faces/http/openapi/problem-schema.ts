import { catalogue } from '../../../core/error-catalogue.js'
import { Refusal, type RefusalCode } from '../../../core/errors.js'
import type { Schema } from './schemas.js'

/** A problem of RFC 9457 with our fields; the data of a refusal stands beside them. */
export function problemSchema(): Schema {
  const codes = Object.keys(catalogue) as RefusalCode[]
  const actions = new Set(codes.map(code => catalogue[code].nextAction))
  return {
    type: 'object',
    description: 'Why a request was refused and what to do next, with the data of the case.',
    properties: {
      type: { type: 'string', description: 'urn:editlatch:problem: and the code in lower case.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What is so and what to do next.' },
      instance: { type: 'string' },
      code: {
        type: 'string',
        oneOf: [
          ...codes.map(code => ({ const: code, description: new Refusal(code).message })),
          { const: 'INTERNAL_ERROR', description: 'Something failed inside the server.' },
        ],
      },
      next_action: { type: 'string', enum: [...actions] },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'next_action'],
  }
}
