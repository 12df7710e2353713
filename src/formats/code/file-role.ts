import { readingKey } from './registry.js'

/** What a file is to somebody who looks for code. */
export type FileRole = 'source' | 'example' | 'test' | 'document' | 'other'

const testPlace =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|__mocks__|__snapshots__|fixtures?|testdata)\//i
const testName =
  /(?:[._-](?:test|spec|bench|stories|cy)\.[^/]+|(?:^|\/)test_[^/]+\.py|_test\.(?:go|py|rb|exs|cc|cpp)|_spec\.rb|Tests?\.(?:java|kt|cs|swift|php|scala))$/
/** Code there shows how something is used. */
const shownPlace = /(?:^|\/)(?:docs?|demos?|examples?|samples?|website|playgrounds?)\//i
const documents = new Set(['.md', '.json', '.jsonc', '.yaml', '.yml', '.toml'])

/** The role of a file by its path alone. */
export function fileRole(path: string): FileRole {
  const reading = readingKey(path)
  if (reading === undefined) return 'other'
  if (testPlace.test(path) || testName.test(path)) return 'test'
  if (documents.has(reading)) return 'document'
  return shownPlace.test(path) ? 'example' : 'source'
}
