import type { Command, Route } from '../../../commands/command.js'
import { commands } from '../../../commands/registry.js'
import { answersOf } from './answers.js'
import { bodyOf, parametersOf } from './inputs.js'
import { problemSchema } from './problem-schema.js'
import { type Schema, SchemaBook } from './schemas.js'
import { serverPaths } from './server-paths.js'

/** The OpenAPI 3.1 document of the HTTP API, made from the command list. */
export function openApiDocument(): Schema {
  const book = new SchemaBook()
  book.name('Problem', problemSchema())
  const paths: Record<string, Record<string, Schema>> = {}
  for (const command of commands) {
    for (const route of command.routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: operation(command, route, book),
      }
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Editlatch',
      version: '1',
      summary: 'A Git-native edit gateway for coding agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...paths, ...serverPaths },
    components: {
      schemas: book.named(),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            "The server's own token, or one that was answered when a worktree was opened.",
        },
      },
    },
  }
}

const needs = {
  server: "Needs the server's own token.",
  read: 'Needs the token of the worktree, or a token that only reads it.',
  edit: 'Needs the token of the worktree.',
} as const

function operation(command: Command, route: Route, book: SchemaBook): Schema {
  const body = bodyOf(command, book)
  return {
    operationId: operationId(command, route),
    summary: command.summary,
    description: needs[route.access ?? command.access],
    parameters: parametersOf(command, route, book),
    ...(body !== undefined && { requestBody: body }),
    responses: answersOf(command, route, book),
  }
}

/** The name of the command; with what its route presets, or how that ends, where it has several. */
function operationId({ name, routes }: Command, route: Route): string {
  if (route === routes[0]) return name
  const preset = Object.keys(route.preset ?? {})
  return [name, ...(preset.length > 0 ? preset : [route.path.split('/').at(-1)])].join('_')
}
