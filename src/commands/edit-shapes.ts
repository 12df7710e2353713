import { z } from 'zod'
import { dialects } from '../edit/dialects/registry.js'
import { opTypes } from '../edit/ops/registry.js'

/** A name such as `ReplaceTextEdit`, under which a kind of edit is described. */
function named<Schema extends z.ZodType>(schema: Schema, name: string): Schema {
  const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1))
  return schema.meta({ id: `${words.join('')}Edit` })
}

const nativeEdits = opTypes.map(({ name, schema }) => named<z.ZodType>(schema, name))

const otherEdits = dialects.flatMap(dialect =>
  dialect.kind === 'edits' && dialect.name !== 'ops' ? [named(dialect.edit, dialect.name)] : [],
)

const saidEdit = z
  .union([...nativeEdits, ...otherEdits])
  .meta({ id: 'Edit', description: 'One edit, as the dialect says it.' })

/** What `edits` of a batch look like; the schema of the command leaves them to the dialect. */
export const saidEdits = z.union([
  z.array(saidEdit).min(1),
  saidEdit,
  z.string().describe('Either of both as JSON text.'),
])
