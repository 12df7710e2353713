import type { Schema } from './schemas.js'

const problem = (description: string): Schema => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** Host and Origin are checked before everything else. */
const ok = (type: string, schema: Schema = { type: 'string' }): Schema => ({
  200: { description: 'OK', content: { [type]: { schema } } },
  403: problem('Forbidden'),
})

/** The routes about the server itself, which no command stands behind. */
export const serverPaths: Readonly<Record<string, Schema>> = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Say that the server lives.',
      security: [],
      responses: ok('text/plain'),
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      summary: 'Say whether git and the repositories are there.',
      security: [],
      responses: { ...ok('text/plain'), 503: problem('Something is missing.') },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: "The server's numbers, for Prometheus.",
      description: "Needs the server's own token.",
      responses: {
        ...ok('text/plain'),
        401: problem('Unauthorized'),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      summary: 'This document.',
      security: [],
      responses: ok('application/json', { type: 'object' }),
    },
  },
}
