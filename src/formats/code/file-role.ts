import { readingKey } from './registry.js'

/** What a file is to somebody who looks for code. */
export type FileRole = 'source' | 'test' | 'document' | 'other'

const testPlace =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|__mocks__|__snapshots__|fixtures?|testdata)\//i
const testName =
  /(?:[._-](?:test|spec|bench|stories|cy)\.[^/]+|(?:^|\/)test_[^/]+\.py|_test\.(?:go|py|rb|exs|cc|cpp)|_spec\.rb|Tests?\.(?:java|kt|cs|swift|php|scala))$/
const documents = new Set(['.md', '.json', '.jsonc', '.yaml', '.yml', '.toml'])

/** The role of a file by its path alone. */
export function fileRole(path: string): FileRole {
  const reading = readingKey(path)
  if (reading === undefined) return 'other'
  if (testPlace.test(path) || testName.test(path)) return 'test'
  return documents.has(reading) ? 'document' : 'source'
}
