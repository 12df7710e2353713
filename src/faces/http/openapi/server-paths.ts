import type { Schema } from './schemas.js'

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

const problem = (description: string): Schema => ({ description, content: problemContent })

/** Host and Origin are checked before everything else. */
const ok = (type: string, schema: Schema = { type: 'string' }): Schema => ({
  200: { description: 'OK', content: { [type]: { schema } } },
  403: problem('Forbidden'),
})

/** What the protocol itself refuses is told in its own form. */
const rpcError = (description: string): Schema => ({
  description,
  content: { 'application/json': { schema: { type: 'object' } } },
})

const message: Schema = {
  type: 'object',
  description: 'One message of JSON-RPC; a request has an id, a notification has none.',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { type: ['string', 'integer'] },
    method: { type: 'string', examples: ['tools/list', 'tools/call'] },
    params: { type: 'object' },
  },
}

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
  '/mcp': {
    post: {
      operationId: 'mcp',
      summary: 'The same as tools: the Model Context Protocol over streamable HTTP.',
      description:
        "Takes the server's own token or that of a worktree. Send `Accept: application/json, text/event-stream`; what the messages mean is the protocol's to say.",
      requestBody: { required: true, content: { 'application/json': { schema: message } } },
      responses: {
        200: {
          description: 'The answer, alone or as the last event of a stream.',
          content: {
            'application/json': { schema: { type: 'object' } },
            'text/event-stream': { schema: { type: 'string' } },
          },
        },
        202: { description: 'A notification was taken; there is no answer.' },
        400: rpcError('No message of the protocol.'),
        401: problem('Unauthorized'),
        403: problem('Forbidden'),
        404: rpcError('There is no such method.'),
        406: rpcError('The Accept header lacks one of the two types.'),
        408: problem('Request Timeout'),
        413: problem('Content Too Large'),
        415: {
          description: 'A packed body, or none of JSON.',
          content: { ...problemContent, 'application/json': { schema: { type: 'object' } } },
        },
        429: problem('Too Many Requests'),
      },
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
